/** One account sends a campaign at once over a route that takes 30 a second, while another sends as always. */
import { AccountClient } from '../../../gateway/test/support/processes/account-client.ts'
import { createAccount } from '../../../gateway/test/support/processes/postern-command.ts'
import { alarmOf, type Incident } from './incident.ts'
import { numberOf, sendAll, sendSteadily } from './traffic.ts'

const messages = 2_500

export const accountBurst: Incident = {
  name: 'account-burst',
  options: { carrier: { partsPerSecond: 30 } },
  async prepare(stage) {
    const { client, installation, apiUrl, keys } = stage.gateway
    const body = (nth: number) => ({ from: '15880000', to: numberOf('010', nth, '0001'), text: `No ${nth}` })
    sendSteadily(stage, client, 4, body)
    const environment = { ...installation.environment, POSTERN_OPERATOR_KEY: keys.admin }
    const campaign = new AccountClient(apiUrl, await createAccount(environment, 'Campaign'))
    stage.atEnd(() => campaign.close())
    await campaign.login()
    await sendAll(campaign, messages, body)
    return {
      'account-burst': async (walk) => {
        const { page } = walk
        const { alarm, open } = alarmOf(page, 'account Campaign sends a burst')
        await walk.begin(alarm)
        const burst = page.getByRole('region', { name: 'It sends a burst' })
        await walk.click(open, burst)
        await walk.find(
          burst,
          /It sends a burst\. .*Other accounts are not slowed|It sends a burst\. .*wait .* at most/,
        )
      },
    }
  },
}
