/**
 * Reads a delivered job: returns it typed, or the reason why this process cannot read it. The stages call it
 * first and park unreadable jobs. A reason names versions and fields, never their values.
 */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Step } from '../channels/channel.ts'
import { isDeeperThan } from '../platform/json.ts'
import { getSealed, addContent } from './sealed.ts'
import {
  acceptedJobSchema,
  optOutJobSchema,
  responseJobSchema,
  receiptJobSchema,
  routeJobSchema,
  verdictJobSchema,
  type AcceptedJob,
  type OptOutJob,
  type ReceiptJob,
  type RouteJob,
  type SettleJob,
} from './jobs.ts'

export type ReadJob<Job> =
  | { readonly ok: true; readonly job: Job }
  | { readonly ok: false; readonly reason: string }

export type JobReader<Job> = (candidate: unknown) => ReadJob<Job>

const knownVersion = 1
/**
 * Maximum nesting. The deepest content that a channel allows has about ten levels; a job nested in thousands
 * of levels could not be written again.
 */
export const maxLevels = 64
/** Maximum number of faults in a reason, so that it stays one line. */
const maxFaults = 3

export const readAcceptedJob: JobReader<AcceptedJob> = createReader(
  'accepted job',
  acceptedJobSchema,
  ({ steps }) => steps,
)
export const readRouteJob: JobReader<RouteJob> = createReader('route job', routeJobSchema, ({ content }) => [
  content,
])
export const readReceiptJob: JobReader<ReceiptJob> = createReader('receipt job', receiptJobSchema)
export const readOptOutJob: JobReader<OptOutJob> = createReader('opt-out job', optOutJobSchema)
const readVerdictJob = createReader('verdict job', verdictJobSchema)
const readResponseJob = createReader('response job', responseJobSchema)

export function readSettleJob(candidate: unknown): ReadJob<SettleJob> {
  switch ((candidate as { readonly kind?: unknown } | null)?.kind) {
    case 'receipt':
      return readReceiptJob(candidate)
    case 'verdict':
      return readVerdictJob(candidate)
    case 'answer':
      return readResponseJob(candidate)
    default:
      return { ok: false, reason: 'unreadable settle job: unknown /kind' }
  }
}

/** `stepsOf` returns the steps that a job carries. */
function createReader<Schema extends TSchema>(
  kind: string,
  schema: Schema,
  stepsOf: (job: Static<Schema>) => readonly Step[] = () => [],
): JobReader<Static<Schema>> {
  const validator = Compile(schema)
  return (delivered) => {
    let candidate = delivered
    if (getSealed(delivered) !== undefined) {
      try {
        candidate = addContent(delivered)
      } catch (error) {
        return { ok: false, reason: `unreadable ${kind}: ${(error as Error).message}` }
      }
    }
    if (validator.Check(candidate)) {
      if (!stepsOf(candidate).some(isTooDeep)) return { ok: true, job: candidate }
      return { ok: false, reason: `unreadable ${kind}: a step is nested in more than ${maxLevels} levels` }
    }
    return { ok: false, reason: describeFaults(kind, candidate, validator.Errors(candidate)) }
  }
}

/** Checks only rich content, because text is not nested and walking a whole job would be slow. */
function isTooDeep(step: Step): boolean {
  return 'content' in step && isDeeperThan(step.content, maxLevels)
}

function describeFaults(
  kind: string,
  candidate: unknown,
  errors: readonly { readonly instancePath: string; readonly message: string }[],
): string {
  if (typeof candidate !== 'object' || candidate === null) return `unreadable ${kind}: must be an object`
  const { v } = candidate as { readonly v?: unknown }
  if (Number.isInteger(v) && v !== knownVersion)
    return `${kind} of version ${String(v)}; this process reads version ${knownVersion}`
  // A step that matches neither form of a step has errors of both.
  const faults = new Set(errors.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()))
  return `unreadable ${kind}: ${[...faults].slice(0, maxFaults).join('; ')}`
}
