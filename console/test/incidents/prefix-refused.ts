/** A carrier refuses one number range of a country and serves all others. */
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendAll, sendSteadily } from './traffic.ts'

export const prefixRefused: Incident = {
  name: 'prefix-refused',
  async prepare(testBed) {
    const { client } = testBed.gateway
    sendSteadily(testBed, client, 10, (nth) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0001'),
      text: `Order ${nth}`,
    }))
    const abroad = (prefix: string, ending: string) => (nth: number) => ({
      channel: 'international',
      from: '15880000',
      to: phoneNumber(prefix, nth, ending),
      text: `Order ${nth}`,
    })
    await sendAll(client, 40, abroad('+8491', '0001'))
    await sendAll(client, 40, abroad('+8490', '0008'))
    return {
      'prefix-refused': async (walk) => {
        const { page } = walk
        const { alarm, open } = findAlarm(page, '+8490')
        await walk.begin(alarm)
        const problems = page.getByRole('region', { name: 'Problems' })
        const row = page.getByRole('row', { name: /start with \+8490/ })
        await walk.click(open, row)
        await walk.find(row, /Wrong recipient number .*start with \+8490 \d+ of \d+ failed/)
        await walk.find(
          problems,
          /\d+ of \d+ messages to numbers that start with \+8490 failed\. Wrong recipient number \(23003, smpp:0x0000000B\)/,
        )
      },
    }
  },
}
