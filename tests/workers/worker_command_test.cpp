#include <gtest/gtest.h>

#include "core/workers/worker_device.h"

namespace iosx {
namespace {

WorkerCommand read(const std::string& text) {
  const auto command = worker_command(text);
  EXPECT_TRUE(command) << text << ": " << command.error().text();
  return command.value_or(WorkerCommand());
}

TEST(WorkerCommandText, IsACommandOrSoManyOfOne) {
  EXPECT_EQ(read("ssh node1 iosx worker --device gpu"), (WorkerCommand{"ssh node1 iosx worker --device gpu", 1}));
  EXPECT_EQ(read("  4 x ssh node1 iosx worker "), (WorkerCommand{"ssh node1 iosx worker", 4}));
  EXPECT_EQ(read("2x srun -n1 iosx worker"), (WorkerCommand{"srun -n1 iosx worker", 2}));
  EXPECT_EQ(read("4x4 worker"), (WorkerCommand{"4x4 worker", 1}));  // a program's name
}

TEST(WorkerCommandText, TasksOfSrunAreWorkers) {
  EXPECT_EQ(read("srun -n8 iosx worker --device gpu"), (WorkerCommand{"srun -n1 iosx worker --device gpu", 8}));
  EXPECT_EQ(read("srun --exclusive --ntasks=4 iosx worker"),
            (WorkerCommand{"srun --exclusive --ntasks=1 iosx worker", 4}));
  EXPECT_EQ(read("srun --gres=gpu:1 -n 3 iosx worker"), (WorkerCommand{"srun --gres=gpu:1 -n 1 iosx worker", 3}));
  EXPECT_EQ(read("2 x srun -n2 iosx worker"), (WorkerCommand{"srun -n1 iosx worker", 4}));
  EXPECT_EQ(read("env SLURM_CONF=/a/b X=1 srun -n3 iosx worker"),
            (WorkerCommand{"env SLURM_CONF=/a/b X=1 srun -n1 iosx worker", 3}));
  EXPECT_EQ(read("/usr/bin/srun -n3 iosx worker"), (WorkerCommand{"/usr/bin/srun -n1 iosx worker", 3}));
  // Neither is srun's.
  EXPECT_EQ(read("ssh srun -n8 iosx worker").count, 1);
  EXPECT_EQ(read("srun --nodes=2 iosx worker").count, 1);
}

TEST(WorkerCommandText, OthersAreRefused) {
  for (const char* text : {"", "   ", "0 x iosx worker", "99999999999999 x iosx worker", "3 x  ",
                           "srun -n0 iosx worker", "1000 x srun -n1000 iosx worker"}) {
    EXPECT_FALSE(worker_command(text)) << text;
  }
  EXPECT_FALSE(worker_command(std::string(1'000'000, 'a')));
  EXPECT_FALSE(worker_command("srun " + std::string(1'000'000, 'a')));
}

}  // namespace
}  // namespace iosx
