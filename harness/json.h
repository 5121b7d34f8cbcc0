// Writes JSON: objects and arrays nest as scopes do. A number that JSON cannot hold (NaN, infinity) becomes null.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace brrr {

class JsonWriter {
  public:
    std::string text() const { return text_ + "\n"; }

    JsonWriter& key(const std::string& name) {
        separate();
        quote(name);
        text_ += ": ";
        after_key_ = true;
        return *this;
    }
    void open(char bracket) {
        separate();
        text_ += bracket;
        depth_++;
        first_ = true;
    }
    void close(char bracket) {
        depth_--;
        if (!first_) { new_line(); }
        text_ += bracket;
        first_ = false;
    }
    void value(const std::string& string) {
        separate();
        quote(string);
    }
    void value(const char* string) { value(std::string(string)); }
    void value(bool truth) {
        separate();
        text_ += truth ? "true" : "false";
    }
    void value(double number) {
        separate();
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.9g", number);
        text_ += std::isfinite(number) ? buffer : "null";
    }
    template <class Integer>
    void value(Integer number) {
        separate();
        text_ += std::to_string(number);
    }
    template <class T>
    void member(const std::string& name, const T& content) {
        key(name).value(content);
    }

  private:
    void separate() {
        if (!after_key_) {
            if (!first_) { text_ += ","; }
            if (depth_ > 0) { new_line(); }
        }
        first_ = after_key_ = false;
    }
    void new_line() { text_ += "\n" + std::string(2 * depth_, ' '); }
    void quote(const std::string& string) {
        text_ += '"';
        for (unsigned char c : string) {
            if (c == '"' || c == '\\') {
                text_ += '\\';
                text_ += char(c);
            } else if (c < 0x20) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", c);
                text_ += escape;
            } else {
                text_ += char(c);
            }
        }
        text_ += '"';
    }

    std::string text_;
    size_t depth_ = 0;
    bool first_ = true, after_key_ = false;
};

}  // namespace brrr
