/** Messages that clients send during an incident. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountClient, SendBody } from '../../../gateway/test/support/processes/account-client.ts'
import type { TestBed } from './incident.ts'

/** Sends messages until the cleanup of the test bed. Ignores refusals and errors. */
export function sendSteadily(
  { addCleanup }: Pick<TestBed, 'addCleanup'>,
  client: AccountClient,
  perSecond: number,
  message: (nth: number) => SendBody & { readonly channel?: string },
): void {
  let nth = 0
  const timer = setInterval(() => {
    nth += 1
    const { channel = 'sms', ...body } = message(nth)
    client.send(channel, body).catch(() => undefined)
  }, 1_000 / perSecond)
  addCleanup(() => clearInterval(timer))
}

const maxTries = 20
const pauseMs = 500
/** The rate limit or the fair share of the account is exceeded; the client retries later. */
const busyCode = 'A020'

/** Sends all messages with as many concurrent requests as the client has connections. Throws if one is refused permanently. */
export async function sendAll(
  client: AccountClient,
  count: number,
  message: (nth: number) => SendBody & { readonly channel?: string },
): Promise<void> {
  const send = async (nth: number): Promise<void> => {
    const { channel = 'sms', ...body } = message(nth)
    for (let nthTry = 1; ; nthTry++) {
      const { body: response } = await client.send(channel, body)
      if (response.msgKey !== undefined) return
      if (response.code !== busyCode || nthTry === maxTries)
        throw new Error(`a message was refused: ${JSON.stringify(response)}`)
      await sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, nth) => send(nth + 1)))
}

/** Returns the nth number with a prefix; `ending` selects the behaviour of the simulated carrier. */
export function phoneNumber(prefix: string, nth: number, ending: string): string {
  return `${prefix}${String((nth * 7_919) % 10_000).padStart(4, '0')}${ending}`
}
