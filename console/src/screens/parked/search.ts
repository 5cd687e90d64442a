/** Reads what the address of the parked jobs may hold: anything that somebody typed. Pure. */
import { stages, type Stage } from './causes.ts'

const maxReason = 200

export interface ParkedSearch {
  readonly stage?: Stage | undefined
  /** Why jobs were parked, as the API lists it. Null: jobs without a reason. */
  readonly reason?: string | null | undefined
}

export function readSearch(given: Readonly<Record<string, unknown>>): ParkedSearch {
  return { stage: stages.find((stage) => stage === given.stage), reason: readReason(given.reason) }
}

function readReason(given: unknown): string | null | undefined {
  if (given === null) return null
  return typeof given === 'string' && given !== '' ? given.slice(0, maxReason) : undefined
}
