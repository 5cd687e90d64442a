export interface World {
  /** Returns the current choices in deterministic order; empty at the end of the schedule. */
  choices(): readonly ModelChoice[]
  /** Returns a key of the current state. Worlds with the same key behave identically from here on. */
  key(): string
  /** Throws if the current state violates an invariant. */
  check(): void
}

export interface ModelChoice {
  readonly label: string
  take(): void
}

export interface Exploration {
  readonly schedules: number
  readonly situations: number
}

/**
 * Explores every schedule of a deterministic world by depth-first search. A schedule is a list of choices. To
 * backtrack, the world is created again and earlier choices are replayed. Known states are not explored
 * again.
 */
export async function explore(create: () => World): Promise<Exploration> {
  const visited = new Set<string>()
  const prefixes: number[][] = [[]]
  let schedules = 0
  for (let prefix = prefixes.pop(); prefix !== undefined; prefix = prefixes.pop()) {
    schedules++
    const world = create()
    const labels: string[] = []
    const path: number[] = []
    const take = async (index: number): Promise<void> => {
      const choice = world.choices()[index]!
      labels.push(choice.label)
      path.push(index)
      choice.take()
      await idle()
    }
    await idle()
    for (const index of prefix) await take(index)
    for (;;) {
      try {
        world.check()
      } catch (error) {
        throw new Error(`${(error as Error).message}\n  ${labels.join('\n  ')}`, { cause: error })
      }
      const key = world.key()
      if (visited.has(key)) break
      visited.add(key)
      const { length } = world.choices()
      if (length === 0) break
      for (let index = length - 1; index > 0; index--) prefixes.push([...path, index])
      await take(0)
    }
  }
  return { schedules, situations: visited.size }
}

/** Resolves after all promises that can settle have settled. */
function idle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
