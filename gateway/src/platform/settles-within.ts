/** Waits for work up to a limit. Resolves with true when the work ended, by success or error; false: it still runs. */
export async function settlesWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
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
