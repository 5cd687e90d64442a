/**
 * The CPU time that a piece of work takes in this process, in milliseconds. For tests that bound the cost of a
 * computation: the time on the clock also counts the work of other test files.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
