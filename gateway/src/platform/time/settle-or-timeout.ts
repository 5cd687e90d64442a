/**
 * Waits for work up to a limit. Returns true if the work has succeeded or failed, false if it is still
 * running.
 */
export async function settleOrTimeout(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  const ended = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, limit])
  } finally {
    clearTimeout(timer)
  }
}
