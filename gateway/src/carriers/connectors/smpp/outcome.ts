/**
 * Maps the command_status of a submit_sm_resp to an outcome, with overrides from the options of the route. An unknown status
 * means `refused`: repeating the submission could deliver it twice.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { SubmitOutcome } from '../connector.ts'
import type { SmppOptions } from './options.ts'
import { statusCode, statuses, statusName } from '../../smpp/status.ts'
import type { SubmissionResult } from '../../smpp/window.ts'

interface Rule {
  readonly outcome: 'throttled' | 'unreachable' | 'refused'
  readonly cause: Cause
  readonly pauseMs?: number
}

const throttled: Rule = { outcome: 'throttled', cause: 'temporary-failure' }
const temporary: Rule = { outcome: 'unreachable', cause: 'temporary-failure' }
const refused: Rule = { outcome: 'refused', cause: 'refused' }

const standard: ReadonlyMap<number, Rule> = new Map([
  [statuses.ESME_RTHROTTLED, throttled],
  [statuses.ESME_RMSGQFUL, throttled],
  [statuses.ESME_RSYSERR, temporary],
  [statuses.ESME_RX_T_APPN, temporary],
  [statuses.ESME_RINVBNDSTS, temporary],
  [statuses.ESME_RINVDSTADR, { outcome: 'refused', cause: 'bad-number' }],
  [statuses.ESME_RINVSRCADR, { outcome: 'refused', cause: 'unregistered-sender' }],
])

/** Returns the reader for the responses of one carrier. */
export function outcomeReader(
  options: Pick<SmppOptions, 'commandStatuses' | 'throttleRetryMs' | 'responseTimeoutMs' | 'congestionLimit'>,
): (answer: SubmissionResult) => SubmitOutcome {
  const rules = new Map<number, Rule>(standard)
  for (const [commandStatus, rule] of Object.entries(options.commandStatuses))
    rules.set(Number(commandStatus), rule)

  return (answer) => {
    switch (answer.kind) {
      case 'timeout':
        return {
          kind: 'unknown',
          code: 'smpp:timeout',
          text: `no response within ${options.responseTimeoutMs} ms`,
        }
      case 'lost':
        return { kind: answer.written ? 'unknown' : 'unreachable', code: 'smpp:lost', text: answer.reason }
      case 'response':
        // Also accepted without an id: the receipt is then matched by the recipient, if only one step fits.
        if (answer.commandStatus !== statuses.ESME_ROK) return refusal(answer.commandStatus)
        return isCongested(answer.congestion ?? 0)
          ? { kind: 'accepted', carrierId: answer.messageId, congested: true }
          : { kind: 'accepted', carrierId: answer.messageId }
    }
  }

  // Values above 100 are reserved.
  function isCongested(state: number): boolean {
    return state >= options.congestionLimit && state <= 100
  }

  function refusal(commandStatus: number): SubmitOutcome {
    const rule = rules.get(commandStatus) ?? refused
    const code = statusCode(commandStatus)
    const text = statusName(commandStatus)
    switch (rule.outcome) {
      case 'throttled':
        return { kind: 'throttled', code, retryAfterMs: rule.pauseMs ?? options.throttleRetryMs }
      case 'unreachable':
        return { kind: 'unreachable', code, text }
      case 'refused':
        return { kind: 'refused', cause: rule.cause, code, text }
    }
  }
}

/** Returns whether the carrier lost the bind of the session; only a new bind helps. */
export function needsRebind(answer: SubmissionResult): boolean {
  return answer.kind === 'response' && answer.commandStatus === statuses.ESME_RINVBNDSTS
}

const authenticationStatuses: ReadonlySet<number> = new Set([
  statuses.ESME_RBINDFAIL,
  statuses.ESME_RINVPASWD,
  statuses.ESME_RINVSYSID,
])

/**
 * Returns whether the carrier refused the bind without a reason. Often the carrier still counts the interrupted session of
 * the previous process; the password can be wrong as well.
 */
export function isBindFailure(bindStatus: number | null): boolean {
  return bindStatus === statuses.ESME_RBINDFAIL
}

/** Returns whether the bind was refused because of the system id or password, or without a reason. */
export function isAuthenticationFailure(bindStatus: number | null): boolean {
  return bindStatus !== null && authenticationStatuses.has(bindStatus)
}
