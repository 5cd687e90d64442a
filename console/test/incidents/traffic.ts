/** Sends messages at a steady rate until the incident ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountClient, SendBody } from '../../../gateway/test/support/processes/account-client.ts'
import type { Stage } from './incident.ts'

export function sendSteadily(
  { atEnd }: Pick<Stage, 'atEnd'>,
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
  atEnd(() => clearInterval(timer))
}

const maxTries = 20
const pauseMs = 500
/** The gateway takes no more at present: a client sends again later. */
const busyCode = 'A020'

/** Sends all at once, as many at a time as the client has connections; throws when one is refused for good. */
export async function sendAll(
  client: AccountClient,
  count: number,
  message: (nth: number) => SendBody & { readonly channel?: string },
): Promise<void> {
  const send = async (nth: number): Promise<void> => {
    const { channel = 'sms', ...body } = message(nth)
    for (let nthTry = 1; ; nthTry++) {
      const { body: answer } = await client.send(channel, body)
      if (answer.msgKey !== undefined) return
      if (answer.code !== busyCode || nthTry === maxTries)
        throw new Error(`a message was refused: ${JSON.stringify(answer)}`)
      await sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, nth) => send(nth + 1)))
}

/** Numbers whose last digits choose what the simulated carrier does. Spread, as those of a client are: they have no more than `prefix` in common. */
export function numberOf(prefix: string, nth: number, ending: string): string {
  return `${prefix}${String((nth * 7_919) % 10_000).padStart(4, '0')}${ending}`
}
