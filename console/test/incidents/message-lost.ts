/** A client misses reports: of a message that its recipient cannot receive, and of one that was never accepted. */
import { waitFor } from '../../../gateway/test/support/wait.ts'
import type { Incident } from './incident.ts'

export const messageLost: Incident = {
  name: 'message-lost',
  options: { carrier: { options: { errors: { '001': 'no-subscriber' } } } },
  async prepare({ gateway: { client } }) {
    const order = { from: '15880000', to: '01012340002', text: 'Your order is on its way', ref: 'order-4711' }
    const msgKey = (await client.send('sms', order)).body.msgKey!
    const isReported = async (): Promise<boolean> =>
      (await client.inquire(msgKey)).body.data?.report[0]?.reportCode !== undefined
    await waitFor('the report of the message', isReported, { timeoutMs: 30_000, everyMs: 100 })
    // A well-formed key of a minute in which the gateway was running.
    const unknown = msgKey.replace(/.{4}$/, '0000')
    return {
      'message-lost': async (walk) => {
        const { page } = walk
        await walk.begin(page.locator('.stats'))
        await walk.click(page.locator('.nav a[href="/messages"]'), page.getByRole('searchbox'))
        const found = page.locator('tbody tr', { hasText: 'order-4711' })
        await walk.enter(page.getByRole('searchbox'), 'order-4711', found)
        const outcome = page.locator('.outcome-card')
        await walk.click(found.getByRole('link').first(), outcome)
        await walk.find(outcome, /23001 · No such subscriber.*What to do: .{20,}/)
      },
      'never-accepted': async (walk) => {
        const { page } = walk
        await walk.begin(page.locator('.stats'))
        await walk.click(page.locator('.nav a[href="/messages"]'), page.getByRole('searchbox'))
        // The ledger is checked every 30 seconds; before the first check the result is uncertain.
        const missing = page.locator('.missing', { hasText: 'No messages are missing' })
        await walk.enter(page.getByRole('searchbox'), unknown, missing)
        await walk.find(
          missing,
          /No messages are missing: every accepted message is accounted for\..*A refused send gets an error code but no msgKey/,
        )
      },
    }
  },
}
