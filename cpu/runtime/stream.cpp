// Streams and events(). All work is done when its call returns, so a stream is only a handle, and an event a time.
#include <chrono>
#include <mutex>
#include <set>

#include "error.h"

using Clock = std::chrono::steady_clock;

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    bool timing;
    bool recorded;
    Clock::time_point time;
};

namespace {

// The handles that are alive, so that a wrong one is told from a right one without touching it.
template <class Handle>
class Register {
  public:
    bool contains(Handle handle) {
        std::lock_guard lock(mutex_);
        return handles_.count(handle) != 0;
    }
    void add(Handle handle) {
        std::lock_guard lock(mutex_);
        handles_.insert(handle);
    }
    bool remove(Handle handle) {
        std::lock_guard lock(mutex_);
        return handles_.erase(handle) != 0;
    }

  private:
    std::mutex mutex_;
    std::set<Handle> handles_;
};

Register<cudaStream_t>& streams() {
    static auto& all = *new Register<cudaStream_t>;  // outlives the destructors of globals
    return all;
}
Register<cudaEvent_t>& events() {
    static auto& all = *new Register<cudaEvent_t>;
    return all;
}

}  // namespace

namespace cuda_cpu {

bool is_stream(cudaStream_t stream) {
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams().contains(stream);
}

}  // namespace cuda_cpu

using cuda_cpu::is_stream;
using cuda_cpu::report;

// ----------------------------------------------------------------------------
// streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (!stream || flags > cudaStreamNonBlocking) { return report(cudaErrorInvalidValue); }
    *stream = new CUstream_st{flags};
    streams().add(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!streams().remove(stream)) { return report(cudaErrorInvalidResourceHandle); }
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return report(is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return report(is_stream(stream) && events().contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    if (!flags) { return report(cudaErrorInvalidValue); }
    if (!is_stream(stream)) { return report(cudaErrorInvalidResourceHandle); }
    *flags = streams().contains(stream) ? stream->flags : cudaStreamDefault;
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
    if (!callback || flags != 0) { return report(cudaErrorInvalidValue); }
    if (!is_stream(stream)) { return report(cudaErrorInvalidResourceHandle); }
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!function) { return report(cudaErrorInvalidValue); }
    if (!is_stream(stream)) { return report(cudaErrorInvalidResourceHandle); }
    function(data);
    return cudaSuccess;
}

// ----------------------------------------------------------------------------
// events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)) {
        return report(cudaErrorInvalidValue);
    }
    *event = new CUevent_st{!(flags & cudaEventDisableTiming), false, {}};
    events().add(*event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!events().remove(event)) { return report(cudaErrorInvalidResourceHandle); }
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (!events().contains(event) || !is_stream(stream)) { return report(cudaErrorInvalidResourceHandle); }
    event->recorded = true;
    event->time = Clock::now();
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return report(events().contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!milliseconds) { return report(cudaErrorInvalidValue); }
    for (cudaEvent_t event : {start, end}) {
        if (!events().contains(event) || !event->timing || !event->recorded) {
            return report(cudaErrorInvalidResourceHandle);
        }
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
