import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { behaviours } from '../../../../simulator/src/rbm/behaviours.ts'
import { publicKey, serviceAccount } from '../../support/carriers/rbm.ts'
import { expectRejected, simulatorArguments, expectAccepted, type HttpProtocol } from './protocol.ts'
import { commonEndings, delivered, rcsShapes, timeout, unsupported } from './rcs.ts'

const clientToken = 'token-of-the-webhook'
const agentId = 'e2e_agent'

export const rbmProtocol: HttpProtocol = {
  name: 'rbm',
  kind: 'rbm',
  carrier: 'rbm',
  prefix: '01076',
  takesFlows: false,
  behaviours,
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
    url,
    agentId,
    clientToken,
    serviceAccount: serviceAccount({ token_uri: `${url}/token` }),
    responseTimeoutMs: 2_500,
    throttleRetryMs: 20,
  }),
  shapes: rcsShapes({
    ...commonEndings,
    '0002': expectRejected(unsupported),
    '0007': expectAccepted(delivered),
    '0008': expectRejected(unsupported),
    '0014': expectAccepted(delivered),
    '0016': expectAccepted(delivered),
    '0020': expectAccepted(timeout, { silent: true }),
    '0021': expectAccepted(delivered),
    '0022': expectAccepted(timeout, { silent: true }),
    '0056': expectAccepted(delivered),
    '0076': expectAccepted(delivered),
  }),
  without: { '0019': 'the agent is refused, so the link waits for an operator' },
}
