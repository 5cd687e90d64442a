/** A carrier responds to every submission after 1.5 seconds, with a window of five. */
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendSteadily } from './traffic.ts'

export const carrierSlow: Incident = {
  name: 'carrier-slow',
  options: { carrier: { args: ['--slow-ms', '1500'], options: { window: 5, sessions: 1 } } },
  prepare(testBed) {
    sendSteadily(testBed, testBed.gateway.client, 20, (nth) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0011'),
      text: `Order ${nth}`,
    }))
    return Promise.resolve({
      'carrier-slow': async (walk) => {
        const { page } = walk
        const { alarm, open } = findAlarm(page, 'Route carrier-a is slow')
        await walk.begin(alarm)
        const problems = page.getByRole('region', { name: 'Problems' })
        await walk.click(open, problems)
        await walk.find(problems, /Messages wait because the carrier responds slowly\. [\d,]+ waiting/)
      },
    })
  },
}
