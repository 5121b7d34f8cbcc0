// A problem's arrays on the device. Each lies between two guard bands, its end flush with the second one: what writes
// or reads past an end meets bytes that are known.
#pragma once

#include <memory>
#include <vector>

#include "device.h"
#include "problem.h"

namespace brrr {

// Outputs hold this byte before a checked launch. All bits set is a NaN in each format, and one that no arithmetic
// returns on a GPU (that is 0x7fffffff), so an element still holding it was never written.
constexpr int kPoison = 0xff;
// For the second launch: a small positive number in each format.
constexpr int kOtherPoison = 0x2b;
// Around inputs: very large numbers, positive and negative; in a third launch NaN.
constexpr int kHighBand = 0x7b, kLowBand = 0xfb;

class GuardedArray {
  public:
    static constexpr size_t kBand = 4096;

    explicit GuardedArray(size_t capacity) : memory_(capacity + 2 * kBand), bytes_(capacity) {}

    void set_bytes(size_t bytes) { bytes_ = bytes; }  // at most the capacity
    size_t capacity() const { return memory_.bytes() - 2 * kBand; }
    void* get() const { return start() + kBand; }
    size_t bytes() const { return bytes_; }

    // In the stream, like the launch that follows: array and bands, or the bands alone.
    void fill(int byte) const { cudaCheck(cudaMemsetAsync(start(), byte, bytes_ + 2 * kBand)); }
    void fill_bands(int byte) const {
        cudaCheck(cudaMemsetAsync(start(), byte, kBand));
        cudaCheck(cudaMemsetAsync(start() + kBand + bytes_, byte, kBand));
    }
    void upload(const void* host) const { cudaCheck(cudaMemcpyAsync(get(), host, bytes_, cudaMemcpyHostToDevice)); }
    // Array and bands; host has room for bytes() + 2 kBand.
    void download(void* host) const {
        cudaCheck(cudaMemcpy(host, start(), bytes_ + 2 * kBand, cudaMemcpyDeviceToHost));
    }
    // The bands alone, one behind the other.
    void download_bands(char* host) const {
        cudaCheck(cudaMemcpy(host, start(), kBand, cudaMemcpyDeviceToHost));
        cudaCheck(cudaMemcpy(host + kBand, start() + kBand + bytes_, kBand, cudaMemcpyDeviceToHost));
    }

  private:
    char* start() const { return static_cast<char*>(memory_.get()); }
    DeviceMemory memory_;
    size_t bytes_;
};

// "4 bytes before its start" where the bands do not hold `byte` any more, else nothing; in whole elements of `width`
// bytes, of which a byte may happen to be the band's.
inline std::string band_damage(const char* front, const char* back, int byte, size_t width) {
    constexpr size_t kBand = GuardedArray::kBand;
    for (size_t i = 0; i < kBand; i++) {  // from the array outwards
        if (front[kBand - 1 - i] != char(byte)) {
            return std::to_string((i / width + 1) * width) + " bytes before its start";
        }
        if (back[i] != char(byte)) { return std::to_string(i / width * width) + " bytes behind its end"; }
    }
    return "";
}

// Host memory that the device copies to at full speed.
class PinnedMemory {
  public:
    explicit PinnedMemory(size_t bytes) { cudaCheck(cudaMallocHost(&pointer_, std::max<size_t>(1, bytes))); }
    PinnedMemory(PinnedMemory&& other) noexcept : pointer_(other.pointer_) { other.pointer_ = nullptr; }
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() { cudaFreeHost(pointer_); }
    char* get() const { return static_cast<char*>(pointer_); }

  private:
    void* pointer_ = nullptr;
};

// All arrays of a problem, with host memory for two copies of each. Made once for many sizes, so that every case finds
// its arrays at the same addresses: what a kernel remembers by address is wrong in the next case.
class Arrays {
  public:
    // For definitions no larger than any of these.
    explicit Arrays(const std::vector<Definition>& definitions) {
        for (size_t b = 0; b < definitions.front().buffers.size(); b++) {
            size_t capacity = 0;
            for (const Definition& d : definitions) {
                if (d.buffers[b].role != Role::point) { capacity = std::max(capacity, d.buffers[b].bytes()); }
            }
            device_.emplace_back(capacity);
            pointers_.push_back(device_.back().get());
            for (auto& copies : copies_) { copies.emplace_back(); }
        }
    }

    Pointers pointers() const { return pointers_.data(); }
    GuardedArray& operator[](size_t buffer) { return device_[buffer]; }

    // Host memory for array and bands, allocated when first asked for; the array starts kBand bytes behind it.
    char* copy(int which, size_t buffer) {
        auto& memory = copies_[which][buffer];
        if (!memory) { memory = std::make_unique<PinnedMemory>(device_[buffer].capacity() + 2 * GuardedArray::kBand); }
        return memory->get();
    }

  private:
    std::vector<GuardedArray> device_;
    std::vector<void*> pointers_;
    std::vector<std::unique_ptr<PinnedMemory>> copies_[2];
};

}  // namespace brrr
