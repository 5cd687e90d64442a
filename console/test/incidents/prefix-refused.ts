/** A carrier that refuses every number of one range of a country, and serves all others. */
import { alarmOf, type Incident } from './incident.ts'
import { numberOf, sendAll, sendSteadily } from './traffic.ts'

export const prefixRefused: Incident = {
  name: 'prefix-refused',
  async prepare(stage) {
    const { client } = stage.gateway
    sendSteadily(stage, client, 10, (nth) => ({
      ...{ from: '15880000', to: numberOf('010', nth, '0001'), text: `Order ${nth}` },
    }))
    const abroad = (prefix: string, ending: string) => (nth: number) => ({
      ...{
        channel: 'international',
        from: '15880000',
        to: numberOf(prefix, nth, ending),
        text: `Order ${nth}`,
      },
    })
    await sendAll(client, 40, abroad('+8491', '0001'))
    await sendAll(client, 40, abroad('+8490', '0008'))
    return {
      'prefix-refused': async (walk) => {
        const { page } = walk
        const { alarm, open } = alarmOf(page, '+8490')
        await walk.begin(alarm)
        const wrong = page.getByRole('region', { name: 'What is wrong' })
        const row = page.getByRole('row', { name: /begin with \+8490/ })
        await walk.click(open, row)
        await walk.find(row, /Wrong recipient number .*begin with \+8490 \d+ of \d+ fail/)
        await walk.find(
          wrong,
          /\d+ of \d+ messages to numbers that begin with \+8490 failed\. Wrong recipient number \(23003, smpp:0x0000000B\)/,
        )
      },
    }
  },
}
