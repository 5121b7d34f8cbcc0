// One size of a problem with its data: inputs, the reference's answer, and the device's arrays. Versions run on it one
// after the other and are compared.
#pragma once

#include <memory>
#include <vector>

#include "compare.h"
#include "device.h"
#include "input.h"
#include "problem.h"

namespace brrr {

// What a check of all outputs found: the first wrong output, or where all are right the one with the largest error.
struct CheckResult {
    Comparison comparison;
    size_t buffer = 0;
};

class Case {
  public:
    // Makes the inputs and runs the reference on them, as rounded to their dtypes, in float64.
    Case(Definition definition, uint64_t seed, Values values) : definition_(std::move(definition)) {
        const std::vector<Buffer>& buffers = definition_.buffers;
        uint32_t inputs = 0, ordinal = 0;
        for (const Buffer& buffer : buffers) { inputs += buffer.role == Role::input; }
        size_t largest_output = 0;
        for (const Buffer& buffer : buffers) {
            uint32_t b = uint32_t(host_.size());
            bool on_device = buffer.role != Role::point, on_host = buffer.role != Role::scratch;
            host_.emplace_back(on_host ? new double[buffer.elements()] : nullptr);
            bits_.emplace_back(buffer.role == Role::input ? new char[buffer.bytes()] : nullptr);
            device_.emplace_back(on_device ? buffer.bytes() : 0);
            device_pointers_.push_back(device_.back().get());
            if (buffer.role == Role::output) { largest_output = std::max(largest_output, buffer.bytes()); }
            if (buffer.role != Role::input) { continue; }
            fill_input(buffer, {b, ordinal++, inputs}, seed, values, bits_[b].get(), host_[b].get());
            device_[b].upload(bits_[b].get());
        }
        definition_.reference(host_pointers().data());
        for (size_t b = 0; b < buffers.size(); b++) {
            if (buffers[b].role != Role::output) { host_[b].reset(); }  // 8 bytes an element, no longer needed
        }
        cudaCheck(cudaMallocHost(&got_, largest_output));
    }
    ~Case() { cudaFreeHost(got_); }
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    const Definition& definition() const { return definition_; }

    // Starts a version on the device's arrays.
    void launch(const Version& version, int block) const {
        version.launch(device_pointers_.data(), block);
        ask(cudaGetLastError(), version, block, "its launch");
    }

    // Poisons outputs and scratch, runs the version once and compares every output.
    CheckResult check(const Version& version, int block) const {
        const std::vector<Buffer>& buffers = definition_.buffers;
        for (size_t b = 0; b < buffers.size(); b++) {
            if (buffers[b].role == Role::output || buffers[b].role == Role::scratch) { device_[b].fill(kPoisonByte); }
        }
        launch(version, block);
        ask(cudaDeviceSynchronize(), version, block, "running it");
        CheckResult result;
        for (size_t b = 0; b < buffers.size(); b++) {
            if (buffers[b].role != Role::output) { continue; }
            device_[b].download(got_);
            Comparison comparison = compare(buffers[b].dtype, got_, host_[b].get(), buffers[b].elements(),
                                            definition_.tolerance(buffers[b].dtype));
            bool first = result.comparison.elements == 0;
            if (!comparison.ok()) { return {comparison, b}; }
            if (first || comparison.worst_ulp > result.comparison.worst_ulp) { result = {comparison, b}; }
        }
        return result;
    }

    // For the message about element i of an output, right after its check: what was due, what came, and the inputs at
    // the same place, where they have the same shape.
    double expected(size_t buffer, size_t i) const { return host_[buffer][i]; }
    double got(size_t buffer, size_t i) const { return decode(definition_.buffers[buffer].dtype, got_, i); }
    std::string inputs_at(size_t output, size_t i) const {
        std::string text;
        for (size_t b = 0; b < bits_.size(); b++) {
            const Buffer& buffer = definition_.buffers[b];
            if (!bits_[b] || buffer.shape.sizes != definition_.buffers[output].shape.sizes) { continue; }
            text += (text.empty() ? "" : ", ") + buffer.name + " = " + number(decode(buffer.dtype, bits_[b].get(), i));
        }
        return text;
    }

    // As many digits as tell float32 values apart.
    static std::string number(double value) {
        if (std::isnan(value)) { return "nan"; }
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", value);
        return text;
    }

  private:
    std::vector<void*> host_pointers() const {
        std::vector<void*> pointers;
        for (const auto& array : host_) { pointers.push_back(array.get()); }
        return pointers;
    }
    void ask(cudaError_t error, const Version& version, int block, const char* when) const {
        if (error == cudaSuccess) { return; }
        throw MachineError("version " + std::to_string(version.id) +
                           (block > 0 ? " at block size " + std::to_string(block) : "") + ", " +
                           to_string(definition_.dims) + ": CUDA error " + cudaGetErrorName(error) + " (" +
                           cudaGetErrorString(error) + ") from " + when);
    }

    Definition definition_;
    std::vector<std::unique_ptr<double[]>> host_;  // float64: outputs as the reference computed them
    std::vector<std::unique_ptr<char[]>> bits_;    // inputs as the device sees them
    std::vector<DeviceMemory> device_;
    std::vector<void*> device_pointers_;
    void* got_ = nullptr;  // the output under comparison
};

}  // namespace brrr
