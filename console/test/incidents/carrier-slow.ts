/** A carrier that answers every submission after a second and a half, over a window of five. */
import { alarmOf, type Incident } from './incident.ts'
import { numberOf, sendSteadily } from './traffic.ts'

export const carrierSlow: Incident = {
  name: 'carrier-slow',
  options: { carrier: { args: ['--slow-ms', '1500'], options: { window: 5, sessions: 1 } } },
  prepare(stage) {
    sendSteadily(stage, stage.gateway.client, 20, (nth) => ({
      ...{ from: '15880000', to: numberOf('010', nth, '0011'), text: `Order ${nth}` },
    }))
    return Promise.resolve({
      'carrier-slow': async (walk) => {
        const { page } = walk
        const { alarm, open } = alarmOf(page, 'Route carrier-a is slow')
        await walk.begin(alarm)
        const wrong = page.getByRole('region', { name: 'What is wrong' })
        await walk.click(open, wrong)
        await walk.find(wrong, /Messages wait because its carrier answers slowly\. [\d,]+ wait for it/)
      },
    })
  },
}
