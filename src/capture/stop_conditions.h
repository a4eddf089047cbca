// Ends of a bounded run that the clock decides: --max-time and --idle-exit. A small thread asks for
// the stop; everything else is as with a signal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cdc/capture.h"
#include "cdc/runtime.h"

namespace cdc {

class StopConditions {
 public:
  StopConditions(const CaptureOptions& options, Runtime& runtime);
  ~StopConditions();

 private:
  void watch(const CaptureOptions& options, Runtime& runtime);
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace cdc
