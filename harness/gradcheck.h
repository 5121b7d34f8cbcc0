// Holds a backward pass against central differences of its forward pass, in float64. Tolerances and step are those of
// PyTorch's torch.autograd.gradcheck: eps 1e-6, atol 1e-5, rtol 1e-3.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "device.h"
#include "input.h"
#include "problem.h"

namespace brrr {

constexpr double kGradEps = 1e-6, kGradAtol = 1e-5, kGradRtol = 1e-3;

// The first element whose derivative is wrong, and how far the worst one was from its tolerance.
struct GradResult {
    bool ok = true;
    size_t compared = 0;
    double worst_error = 0;  // |analytic - numeric| / (atol + rtol |numeric|)
    std::string message;
};

// One set of points: the arrays in float64 on the host, with the forward pass already run.
class GradCase {
  public:
    // The definition must be of dtype f64. extreme points are those where functions saturate, else random ones.
    GradCase(Definition definition, uint64_t seed, Values values) : definition_(std::move(definition)) {
        const std::vector<Buffer>& buffers = definition_.buffers;
        for (const Buffer& buffer : buffers) {
            uint32_t b = uint32_t(host_.size());
            host_.emplace_back(buffer.elements());
            pointers_.push_back(host_.back().data());
            bool is_point = buffer.role == Role::point;
            if (!is_point && buffer.role != Role::input) { continue; }
            fill_input(buffer, {b, 0, 1}, seed, is_point ? values : Values::plain, nullptr, host_.back().data());
        }
        definition_.gradcheck.forward(pointers_.data());  // writes what the versions take from the forward pass
        result_ = array(definition_.gradcheck.result);
        for (auto pair : definition_.gradcheck.gradients) { numeric_.push_back(differentiate(pair.second)); }
        for (size_t b = 0; b < buffers.size(); b++) {
            device_.emplace_back(buffers[b].role == Role::point ? 0 : buffers[b].bytes());
            device_pointers_.push_back(device_.back().get());
            if (buffers[b].role == Role::input) { device_[b].upload(array(b).data()); }
        }
    }

    const Definition& definition() const { return definition_; }

    GradResult check(const Version& version, int block) {
        for (size_t b = 0; b < device_.size(); b++) {
            Role role = definition_.buffers[b].role;
            if (role == Role::output || role == Role::scratch) { device_[b].fill(0xff); }
        }
        version.launch(device_pointers_.data(), block);
        cudaCheck(cudaGetLastError());
        cudaCheck(cudaDeviceSynchronize());
        GradResult result;
        for (size_t g = 0; g < numeric_.size(); g++) {
            auto [output, point] = definition_.gradcheck.gradients[g];
            std::vector<double> analytic(array(output).size());
            device_[output].download(analytic.data());
            for (size_t i = 0; i < analytic.size(); i++) {
                double numeric = numeric_[g][i];
                double error = std::fabs(analytic[i] - numeric) / (kGradAtol + kGradRtol * std::fabs(numeric));
                result.compared++;
                if (error > result.worst_error) { result.worst_error = error; }
                if (error <= 1 || !result.ok) { continue; }  // NaN is not <= 1
                char text[256];
                std::snprintf(text, sizeof text, "%s[%zu] = %.9g, central difference %.9g, at %s = %.9g",
                              definition_.buffers[output].name.c_str(), i, analytic[i], numeric,
                              definition_.buffers[point].name.c_str(), array(point)[i]);
                result.ok = false;
                result.message = text;
            }
        }
        return result;
    }

  private:
    std::vector<double>& array(size_t buffer) { return host_[buffer]; }

    // d loss / d x by central differences, one element of x at a time. The differences of the forward pass's outputs
    // are weighted and summed, not the losses subtracted: the sum over the other elements would cost digits.
    std::vector<double> differentiate(size_t point) {
        std::vector<double>&x = array(point), &out = array(definition_.gradcheck.result);
        const std::vector<double>& dout = array(definition_.gradcheck.upstream);
        std::vector<double> gradient(x.size());
        for (size_t i = 0; i < x.size(); i++) {
            const double center = x[i], above = center + kGradEps, below = center - kGradEps;
            x[i] = above;
            definition_.gradcheck.forward(pointers_.data());
            std::vector<double> out_above = out;
            x[i] = below;
            definition_.gradcheck.forward(pointers_.data());
            double difference = 0;
            for (size_t j = 0; j < out.size(); j++) { difference += dout[j] * (out_above[j] - out[j]); }
            gradient[i] = difference / (above - below);
            x[i] = center;
        }
        out = result_;
        return gradient;
    }

    Definition definition_;
    std::vector<std::vector<double>> host_;
    std::vector<void*> pointers_;
    std::vector<double> result_;
    std::vector<std::vector<double>> numeric_;  // by pair of gradcheck.gradients
    std::vector<DeviceMemory> device_;
    std::vector<void*> device_pointers_;
};

}  // namespace brrr
