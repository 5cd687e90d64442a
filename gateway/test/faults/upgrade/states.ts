import type { StateCounts } from './state-counts.ts'

/**
 * Message state before an upgrade: its messages, how the tables of the earlier release show it, and the
 * expected reports.
 */
export interface UpgradeState {
  readonly name: string
  readonly count: number
  /** Set if the account receives reports by webhook instead of polling. */
  readonly pushed?: true
  /** Last digits of recipients, which select the behaviour of the carrier; default any from 1000. */
  readonly ending?: string
  request(to: string, ref: string): { readonly path: string; readonly body: object }
  /** Report codes of the attempted steps. Several alternatives can be correct. */
  readonly codes: readonly (readonly string[])[]
  /** Set if the messages have an Idempotency-Key and are sent again after the upgrade. */
  readonly isRepeated?: true
  /** Set if the messages use the sandbox instead of the simulated carrier. */
  readonly skipsCarrier?: true
  /** Reports whether the messages are in this state: when they are prepared, and after all processes stopped. */
  isReached(found: StateCounts, count: number): boolean
}

const from = '0212345678'
const sms = (text: string) => ({ from, text })
const alimtalk = (text: string) => ({
  senderKey: 'a'.repeat(40),
  msgType: 'AT',
  templateCode: 'upgrade',
  text,
})
const single = (to: string, ref: string) => ({ path: '/v1/send/sms', body: { ...sms(ref), to, ref } })
const flow = (steps: (ref: string) => readonly object[]) => (to: string, ref: string) => ({
  path: '/v1/send/omni',
  body: { destinations: [{ to }], messageFlow: steps(ref), ref },
})
const delivered = [['10000']]
const isClosed = (found: StateCounts, count: number): boolean => found.recorded === count && found.open === 0
const isWaiting = (found: StateCounts, count: number): boolean => found.waiting === count

/** States that are prepared one after another while all processes run. */
export const closedStates: readonly UpgradeState[] = [
  {
    name: 'reported in a batch that is not acknowledged',
    count: 10,
    codes: delivered,
    request: single,
    isReached: isClosed,
  },
  {
    name: 'report that its webhook refuses',
    count: 10,
    pushed: true,
    codes: delivered,
    request: single,
    isReached: isClosed,
  },
]

export const openStates: readonly UpgradeState[] = [
  {
    name: 'accepted by the carrier, receipt to come',
    count: 20,
    ending: '0015',
    codes: delivered,
    request: single,
    isReached: (found, count) => found.open === count && found.attempted === count,
  },
  {
    // The gateway does not know the ID in the receipt, so only a match by the recipient can decide the message.
    name: 'submitted, never answered',
    count: 3,
    ending: '0018',
    codes: [['10000'], ['99999']],
    request: single,
    isReached: (found, count) => found.open === count,
  },
  {
    name: 'in the queue of a slow route',
    count: 60,
    codes: delivered,
    request: (to, ref) => ({
      path: '/v1/send/international',
      body: { ...sms(ref), to: `+4915${to.slice(2)}`, ref },
    }),
    isReached: (found, count) => found.open > 0 && found.attempted < count - 10,
  },
]

/** Sent while their route submits one message per second. The route is disabled while most of them wait. */
export const disabledRouteStates: readonly UpgradeState[] = [
  {
    name: 'waiting for a disabled route',
    count: 20,
    codes: delivered,
    skipsCarrier: true,
    request: flow((ref) => [{ alimtalk: alimtalk(ref) }, { sms: sms(ref) }]),
    isReached: (found) => found.waiting >= 5,
  },
  {
    name: 'first step failed, second waiting',
    count: 5,
    ending: '0002',
    codes: [['23001', '63019']],
    request: flow((ref) => [{ sms: sms(ref) }, { alimtalk: alimtalk(ref) }]),
    isReached: (found, count) => found.second === count && found.waiting === count,
  },
]

export const parked: UpgradeState = {
  name: 'parked by intake',
  count: 3,
  codes: delivered,
  request: single,
  isReached: (found, count) => found.parked === count && found.recorded === 0,
}

/** Seconds from the request to the send time, which is after the upgrade. */
const scheduledInSeconds = 75

export const scheduled: UpgradeState = {
  name: 'scheduled',
  count: 5,
  codes: delivered,
  request: (to, ref) => {
    const sendAt = new Date(Date.now() + scheduledInSeconds * 1000).toISOString()
    const { path, body } = single(to, ref)
    return { path: `${path}?sendAt=${encodeURIComponent(sendAt)}`, body }
  },
  isReached: isWaiting,
}

export const receiptsQueued: UpgradeState = {
  name: 'receipt in the queue',
  count: 20,
  codes: delivered,
  request: single,
  isReached: (found, count) => found.attempted === count && found.open === count,
}

export const repeated: UpgradeState = {
  name: 'accepted with an Idempotency-Key',
  count: 5,
  isRepeated: true,
  codes: delivered,
  request: single,
  isReached: (found) => found.recorded === 0,
}

/** Sent after the worker has stopped, so they stay in the intake queue. */
export const intakeStates: readonly UpgradeState[] = [
  repeated,
  {
    name: 'accepted, in the intake queue, urgent',
    count: 10,
    codes: delivered,
    request: flow((ref) => [{ sms: { ...sms(ref), ttl: '180' } }]),
    isReached: (found) => found.recorded === 0,
  },
  {
    name: 'accepted, in the intake queue',
    count: 10,
    codes: delivered,
    request: single,
    isReached: (found) => found.recorded === 0,
  },
  {
    name: 'accepted, in the intake queue, bulk',
    count: 10,
    codes: delivered,
    request: (to, ref) => ({ path: '/v1/send/sms', body: { from, to, ref, text: `(광고) ${ref}` } }),
    isReached: (found) => found.recorded === 0,
  },
]
