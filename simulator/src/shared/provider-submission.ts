/** Refuses or answers submissions to a provider whose results are pushed or looked up later. */
import { createHash } from 'node:crypto'
import type { CarrierState } from './carrier-state.ts'
import type { EndingRow } from './endings.ts'
import type { HttpOutcome, HttpResponse } from './http-server.ts'
import type { HttpCarrierOptions } from './http-options.ts'
import type { LogEntry } from './received-log.ts'

export interface ProviderBehaviour<Refusal, Result> extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly refusal: Refusal | 'throttled'; readonly tries: number }
  readonly answer:
    | 'at once'
    | 'slowly'
    | 'never'
    | 'by disconnecting'
    | 'after its report'
    | 'with a server error'
    | 'with broken JSON'
  /** A message that is not accepted is dropped as if it had never arrived. */
  readonly accepts: boolean
  /** The result of each report. A message without results is never reported. */
  readonly results: readonly Result[]
  readonly late: boolean
}

export type BehaviourChange<Refusal, Result> = Partial<
  Omit<ProviderBehaviour<Refusal, Result>, keyof EndingRow>
>

export const always = Infinity

/** Counts a submission that is not accepted. Returns undefined if it is accepted, which the caller counts. */
export function refuseSubmission<Refusal, Entry extends LogEntry>(
  { refuse, accepts }: ProviderBehaviour<Refusal, unknown>,
  key: string,
  { state, options }: { readonly state: CarrierState<Entry>; readonly options: HttpCarrierOptions },
): Refusal | 'throttled' | 'abandoned' | undefined {
  const { counters, receipts } = state
  const isFull = receipts.counters.receiptsPending >= options.maxPending
  const isThrottled = refuse?.refusal === 'throttled' && state.shouldRefuseTry(key, refuse.tries)
  if (isFull || isThrottled || !state.takeRateToken()) {
    counters.throttled++
    return 'throttled'
  }
  if (refuse !== undefined && refuse.refusal !== 'throttled' && state.shouldRefuseTry(key, refuse.tries)) {
    counters.refused++
    return refuse.refusal
  }
  if (accepts) return undefined
  counters.abandoned++
  return 'abandoned'
}

export interface SubmissionResponses {
  readonly accepted: HttpResponse
  readonly serverError: HttpResponse
  /** Resolves when the report of the message is acknowledged or abandoned. */
  readonly reported?: Promise<unknown>
}

export async function respondToSubmission<Entry extends LogEntry>(
  { answer }: ProviderBehaviour<unknown, unknown>,
  { accepted, serverError, reported }: SubmissionResponses,
  { state, options }: { readonly state: CarrierState<Entry>; readonly options: HttpCarrierOptions },
): Promise<HttpOutcome> {
  switch (answer) {
    case 'never':
      return 'hang'
    case 'by disconnecting':
      return 'disconnect'
    case 'with a server error':
      return serverError
    case 'with broken JSON':
      return { ...accepted, body: String(accepted.body).slice(0, -10) }
    case 'slowly':
      await state.after(options.slowMs)
      return accepted
    case 'after its report':
      await Promise.race([reported, state.after(options.earlyMs)])
      return accepted
    case 'at once':
      return accepted
  }
}

/** Identifies the same content submitted again. */
export function contentKey(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64')
}
