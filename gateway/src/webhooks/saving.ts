/**
 * Makes durable what became of pushes, for many lines at once and one time after the other: progress of a line must not overtake
 * its own. What could not be saved is given back to its line.
 */
import type { Database } from '../platform/database.ts'
import type { EndpointWorker } from './endpoint-worker.ts'
import { saveProgress, type Progress } from './positions.ts'

export type Save = (lines: readonly EndpointWorker[]) => Promise<void>

export function createSaving(database: Database, pusher: string): Save {
  let last: Promise<void> = Promise.resolve()
  return (lines) => {
    const done = last.then(() => saveLines(database, pusher, lines))
    last = done.catch(() => undefined)
    return done
  }
}

async function saveLines(
  database: Database,
  pusher: string,
  lines: readonly EndpointWorker[],
): Promise<void> {
  const taken = lines.flatMap((line): [EndpointWorker, Progress][] => {
    const progress = line.takeProgress()
    return progress === null ? [] : [[line, progress]]
  })
  if (taken.length === 0) return
  try {
    const kept = await saveProgress(
      database,
      pusher,
      taken.map(([, progress]) => progress),
    )
    for (const [line, progress] of taken) if (kept.has(progress.webhookId)) line.saved(progress)
  } catch (error) {
    for (const [line, progress] of taken) line.notSaved(progress)
    throw error
  }
}
