#pragma once
// Whether somebody outside asked the program to end (SIGTERM, or SIGINT from a terminal), so that it can do so in order: files
// closed, settings kept, peers told. The second time the system ends it at once.
//
// One at a time: signals belong to the process. Construct it before threads start; made() may be asked on any thread.

namespace sbx::app {

class EndRequest {
public:
    EndRequest();
    ~EndRequest();
    EndRequest(const EndRequest&) = delete;
    EndRequest& operator=(const EndRequest&) = delete;

    [[nodiscard]] bool made() const;
};

} // namespace sbx::app
