/**
 * Returns the CPU time of some work in this process, in milliseconds. Use it to bound the cost of a
 * computation: elapsed time would include the work of other test files.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
