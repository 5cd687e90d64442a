/**
 * The states in which an upgrade finds messages: how each is brought about, how it is recognized in the tables of the
 * earlier release, and with which reports its messages must end. The endings of recipients choose the behaviour of the
 * simulated carrier.
 */
import type { Located } from './located.ts'

export interface State {
  readonly name: string
  readonly count: number
  /** The account that is pushed its reports instead of polling them. */
  readonly pushed?: true
  /** Of their recipients; any from 1000 when absent. */
  readonly ending?: string
  request(to: string, ref: string): { readonly path: string; readonly body: object }
  /** Report codes, one for each step that is tried; several lists where each is right. */
  readonly codes: readonly (readonly string[])[]
  /** Sent with an Idempotency-Key, and again after the upgrade. */
  readonly isRepeated?: true
  /** The simulated carrier never gets them: they end at the sandbox. */
  readonly skipsCarrier?: true
  /** Whether all are in this state, after the processes of the earlier release were stopped. */
  isReached(found: Located, count: number): boolean
}

const from = '0212345678'
const sms = (text: string) => ({ from, text })
const alimtalk = (text: string) => ({
  ...{ senderKey: 'a'.repeat(40), msgType: 'AT', templateCode: 'upgrade' },
  text,
})
const single = (to: string, ref: string) => ({ path: '/v1/send/sms', body: { ...sms(ref), to, ref } })
const flow = (steps: (ref: string) => readonly object[]) => (to: string, ref: string) => ({
  path: '/v1/send/omni',
  body: { destinations: [{ to }], messageFlow: steps(ref), ref },
})
const delivered = [['10000']]
const isClosed = (found: Located, count: number): boolean => found.recorded === count && found.open === 0
const waits = (found: Located, count: number): boolean => found.waiting === count

/** Brought about one after the other, while all processes run. */
export const closed: readonly State[] = [
  {
    ...{ name: 'reported in a batch that is not acknowledged', count: 10, codes: delivered },
    ...{ request: single, isReached: isClosed },
  },
  {
    ...{ name: 'report that its webhook refuses', count: 10, pushed: true, codes: delivered },
    ...{ request: single, isReached: isClosed },
  },
]

export const open: readonly State[] = [
  {
    ...{ name: 'accepted by the carrier, receipt to come', count: 20, ending: '0015', codes: delivered },
    request: single,
    isReached: (found, count) => found.open === count && found.attempted === count,
  },
  {
    // The receipt has the id that the carrier never told: it decides the message only if it is matched by its reference.
    ...{ name: 'submitted, never answered', count: 3, ending: '0018', codes: [['10000'], ['99999']] },
    request: single,
    isReached: (found, count) => found.open === count,
  },
  {
    ...{ name: 'in the queue of a slow route', count: 60, codes: delivered },
    request: (to, ref) => ({
      path: '/v1/send/international',
      body: { ...sms(ref), to: `+4915${to.slice(2)}`, ref },
    }),
    isReached: (found, count) => found.open > 0 && found.attempted < count - 10,
  },
]

/** Begun while the route of their steps serves one a second; it is disabled when most of them wait for it. */
export const disabled: readonly State[] = [
  {
    ...{ name: 'waiting for a disabled route', count: 20, codes: delivered, skipsCarrier: true },
    request: flow((ref) => [{ alimtalk: alimtalk(ref) }, { sms: sms(ref) }]),
    isReached: (found) => found.waiting >= 5,
  },
  {
    ...{ name: 'first step failed, second waiting', count: 5, ending: '0002', codes: [['23001', '63019']] },
    request: flow((ref) => [{ sms: sms(ref) }, { alimtalk: alimtalk(ref) }]),
    isReached: (found, count) => found.second === count && found.waiting === count,
  },
]

export const parked: State = {
  ...{ name: 'parked by intake', count: 3, codes: delivered, request: single },
  isReached: (found, count) => found.parked === count && found.recorded === 0,
}

/** Seconds until they are due: after the upgrade. */
const scheduledInSeconds = 75

export const scheduled: State = {
  ...{ name: 'scheduled', count: 5, codes: delivered },
  request: (to, ref) => {
    const sendAt = new Date(Date.now() + scheduledInSeconds * 1000).toISOString()
    const { path, body } = single(to, ref)
    return { path: `${path}?sendAt=${encodeURIComponent(sendAt)}`, body }
  },
  isReached: waits,
}

export const receiptsQueued: State = {
  ...{ name: 'receipt in the queue', count: 20, codes: delivered, request: single },
  isReached: (found, count) => found.attempted === count && found.open === count,
}

export const repeated: State = {
  ...{
    name: 'accepted with an Idempotency-Key',
    count: 5,
    isRepeated: true,
    codes: delivered,
    request: single,
  },
  isReached: (found) => found.recorded === 0,
}

export const first: readonly State[] = [
  repeated,
  {
    ...{ name: 'accepted, in the first queue, urgent', count: 10, codes: delivered },
    request: flow((ref) => [{ sms: { ...sms(ref), ttl: '180' } }]),
    isReached: (found) => found.recorded === 0,
  },
  {
    ...{ name: 'accepted, in the first queue', count: 10, codes: delivered, request: single },
    isReached: (found) => found.recorded === 0,
  },
  {
    ...{ name: 'accepted, in the first queue, bulk', count: 10, codes: delivered },
    request: (to, ref) => ({ path: '/v1/send/sms', body: { from, to, ref, text: `(광고) ${ref}` } }),
    isReached: (found) => found.recorded === 0,
  },
]
