/** One account sends a campaign over a route limited to 30 parts per second, while another sends at its usual rate. */
import { AccountClient } from '../../../gateway/test/support/processes/account-client.ts'
import { createAccount } from '../../../gateway/test/support/processes/postern-command.ts'
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendAll, sendSteadily } from './traffic.ts'

const messages = 2_500

export const accountBurst: Incident = {
  name: 'account-burst',
  options: { carrier: { partsPerSecond: 30 } },
  async prepare(testBed) {
    const { client, installation, apiUrl, keys } = testBed.gateway
    const body = (nth: number) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0001'),
      text: `No ${nth}`,
    })
    sendSteadily(testBed, client, 4, body)
    const environment = { ...installation.environment, POSTERN_OPERATOR_KEY: keys.admin }
    const campaign = new AccountClient(apiUrl, await createAccount(environment, 'Campaign'))
    testBed.addCleanup(() => campaign.close())
    await campaign.login()
    await sendAll(campaign, messages, body)
    return {
      'account-burst': async (walk) => {
        const { page } = walk
        const { alarm, open } = findAlarm(page, 'account Campaign sends a burst')
        await walk.begin(alarm)
        const burst = page.getByRole('region', { name: 'The account sends a burst' })
        await walk.click(open, burst)
        await walk.find(
          burst,
          /The account sends a burst\. .*Other accounts are not delayed|The account sends a burst\. .*wait at most/,
        )
      },
    }
  },
}
