/** RCS over Google RCS Business Messaging, with a service account whose key the carrier verifies. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { behaviours } from '../../../../simulator/src/rbm/behaviours.ts'
import { publicKey, serviceAccount } from '../../support/rbm.ts'
import { refused, simulatorArguments, taken, type Protocol } from './protocol.ts'
import { commonEndings, delivered, rcsShapes, timeout, unsupported } from './rcs.ts'

const clientToken = 'token-of-the-webhook'
const agentId = 'e2e_agent'

export const rbmProtocol: Protocol = {
  ...{ name: 'rbm', kind: 'rbm', carrier: 'rbm', prefix: '01076', takesFlows: false, behaviours },
  simulators: ({ inbound, directory }) => {
    const keyFile = join(directory, 'rbm-public-key.pem')
    writeFileSync(keyFile, publicKey)
    return [
      [
        ...[...simulatorArguments, '--webhook-url', `${inbound}/`, '--client-token', clientToken],
        ...['--agent-id', agentId, '--public-key', keyFile, '--receipt-max-retry-ms', '1000'],
      ],
    ]
  },
  options: ([url]) => ({
    ...{ url, agentId, clientToken, serviceAccount: serviceAccount({ token_uri: `${url}/token` }) },
    ...{ responseTimeoutMs: 2_500, throttleRetryMs: 20 },
  }),
  shapes: rcsShapes({
    ...commonEndings,
    '0002': refused(unsupported),
    '0007': taken(delivered),
    '0008': refused(unsupported),
    '0014': taken(delivered),
    '0016': taken(delivered),
    '0020': taken(timeout, { silent: true }),
    '0021': taken(delivered),
    '0022': taken(timeout, { silent: true }),
    '0056': taken(delivered),
    '0076': taken(delivered),
  }),
  without: { '0019': 'the agent is refused, so the link waits for an operator' },
}
