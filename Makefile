# brrr: every .cu file here is a target. `make help` says what else there is.

KERNELS := $(patsubst %.cu,%,$(wildcard *.cu))
BUILD := build

# The compiler: nvcc where there is one and a GPU to run on, else cpu/nvcc, which builds the same files for the CPU.
# NVCC=nvcc ARCH=90 compiles for a GPU that is not in this machine, NVCC=cpu/nvcc for the CPU in any case.
HAS_GPU := $(shell command -v nvcc >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q GPU && echo yes)
NVCC ?= $(if $(HAS_GPU),nvcc,cpu/nvcc)
ON_CPU := $(filter %cpu/nvcc,$(NVCC))

# The compute capability of the GPU without the dot: 90 for 9.0. Empty: nvcc's own choice.
ifeq ($(ON_CPU),)
ARCH ?= $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
endif

NVCCFLAGS ?= -O3 --use_fast_math
LANGUAGE := -std=c++17 -Xcompiler -Wall,-Wextra
FLAGS = $(NVCCFLAGS) $(LANGUAGE) $(if $(ARCH),-gencode=arch=compute_$(ARCH)$(,)code=sm_$(ARCH))
LIBS := -Xlinker --as-needed -lcublas
, := ,

# Uses all cores unless -j says otherwise.
ifeq ($(filter -j% --jobs%,$(MAKEFLAGS)),)
MAKEFLAGS += --jobs=$(shell getconf _NPROCESSORS_ONLN)
endif

.PHONY: all
all: $(KERNELS)  ## build every kernel file (the default)

# What the programs are built with, rewritten only when it changes, so that NVCC, ARCH and the flags are prerequisites
# like any other. Headers, cpu/nvcc's own included, are seen through the dependency files.
SETTINGS := $(shell command -v $(NVCC)) $(FLAGS) $(LIBS)
ifeq ($(filter clean distclean help,$(MAKECMDGOALS)),)
$(shell mkdir -p $(BUILD) && { echo '$(SETTINGS)' | cmp -s - $(BUILD)/settings || echo '$(SETTINGS)' > $(BUILD)/settings; })
endif

$(KERNELS): %: %.cu $(BUILD)/settings
	$(NVCC) $(FLAGS) -MMD -MP -MF $(BUILD)/$@.d -MT $@ $< -o $@ $(LIBS)

$(KERNELS): $(if $(ON_CPU),$(wildcard cpu/runtime/*))
-include $(wildcard $(BUILD)/*.d)

.PHONY: run
run: $(KERNELS)  ## build and run every kernel file, then one summary table (ARGS="--dtype bf16" goes to each)
	@python3 harness/run_all.py $(KERNELS) -- $(ARGS)

.PHONY: test
test:  ## run all tests on the CPU; makes itself a .venv first
	@tests/run

.PHONY: mutants seeds
mutants:  ## plant every mutation in the shipped kernels: each that changes a result must be caught (takes minutes)
	@python3 tests/mutate.py

SEEDS ?= 200
seeds: $(KERNELS)  ## check all shipped versions with SEEDS=200 seeds in every dtype: none may be refused (takes minutes)
	@python3 tests/seeds.py $(SEEDS) $(KERNELS)

# ---- what nvcc makes of a kernel file; needs nvcc, no GPU

GPU_NVCC := $(if $(ON_CPU),nvcc,$(NVCC))
GPU_ARCHS := 75 80 86 89 90 100 120
NEEDS_NVCC = @command -v $(GPU_NVCC) >/dev/null || { echo "$@ needs nvcc, of the CUDA Toolkit, on the PATH" >&2; exit 1; }

%.ptx: %.cu FORCE
	$(NEEDS_NVCC)
	$(GPU_NVCC) $(NVCCFLAGS) $(LANGUAGE) $(if $(ARCH),-arch=compute_$(ARCH)) -ptx $< -o $@

%.sass: %.cu FORCE
	$(NEEDS_NVCC)
	@command -v cuobjdump >/dev/null || { echo "$@ needs cuobjdump, of the CUDA Toolkit, on the PATH" >&2; exit 1; }
	@mkdir -p $(BUILD)
	$(GPU_NVCC) $(NVCCFLAGS) $(LANGUAGE) $(if $(ARCH),-arch=sm_$(ARCH)) -cubin $< -o $(BUILD)/$*.cubin
	cuobjdump --dump-sass $(BUILD)/$*.cubin > $@.part && mv $@.part $@

.PHONY: all_gpu
all_gpu: $(KERNELS:%=$(BUILD)/gpu/%.o)  ## compile every kernel file for compute capability 7.5 to 12.0; needs nvcc, no GPU

$(BUILD)/gpu/%.o: %.cu $(BUILD)/settings
	$(NEEDS_NVCC)
	@mkdir -p $(@D)
	$(GPU_NVCC) $(NVCCFLAGS) $(LANGUAGE) $(foreach a,$(GPU_ARCHS),-gencode=arch=compute_$(a)$(,)code=sm_$(a)) \
	    -MMD -MP -MF $(BUILD)/gpu-$*.d -MT $@ -c $< -o $@

# ---- the rest

compile_commands.json: FORCE  ## for clangd and other tools that ask how a file is compiled
	@python3 cpu/compile_commands.py $(KERNELS:%=%.cu) > $@

.PHONY: clean distclean
clean:  ## remove everything that was built
	rm -rf $(BUILD) $(KERNELS) *.ptx *.sass *.part compile_commands.json .pytest_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
distclean: clean  ## and the tests' .venv
	rm -rf .venv

.PHONY: help
help:  ## this list
	@echo "make KERNEL    build one of: $(KERNELS)"
	@echo "make KERNEL.ptx, KERNEL.sass    what nvcc makes of it"
	@sed -n 's/^\([a-z_.]*\):.*##  *\(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-28s %s\n", $$1, $$2}'
	@echo "variables: NVCC=$(NVCC) ARCH=$(ARCH) NVCCFLAGS=$(NVCCFLAGS)"

.PHONY: FORCE
FORCE:
