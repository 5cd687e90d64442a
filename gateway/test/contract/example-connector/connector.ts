import type {
  Connector,
  ConnectorContext,
  Submission,
  SubmitOutcome,
} from '../../../src/carriers/connectors/connector.ts'
import { HttpClient, toFailureOutcome } from '../../../src/carriers/connectors/http/http-client.ts'
import { OpenSubmissions } from '../../../src/carriers/connectors/open-submissions.ts'
import type { AcmeOptions } from './options.ts'
import { readOutcome } from './outcome.ts'

export function createAcmeConnector(options: AcmeOptions, context: ConnectorContext): Connector {
  const { url, user, key, window, responseTimeoutMs } = options
  const http = new HttpClient({
    connections: window,
    connectTimeoutMs: responseTimeoutMs,
    timeoutMs: responseTimeoutMs,
    maxAnswerBytes: 65_536,
  })
  const open = new OpenSubmissions('acme', window)
  let linked = false

  async function send({ message, to, reference }: Submission): Promise<SubmitOutcome> {
    if (message.channel !== 'sms' && message.channel !== 'international')
      return { kind: 'refused', cause: 'unsupported', code: 'acme:channel', text: 'only texts are sent' }
    const result = await http.send({
      method: 'POST',
      url: `${url}/messages`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ user, to, text: message.content.text, reference }),
    })
    return result.kind === 'answer' ? readOutcome(result) : toFailureOutcome(result, 'acme')
  }

  return {
    window,
    get linked() {
      return linked
    },
    start() {
      linked = true
      context.onLink(true, 'ready')
    },
    submit: (submission) => open.submit(linked, () => send(submission)),
    stop(limitMs) {
      if (linked) context.onLink(false, 'stopped')
      linked = false
      return open.drain({ stopTimeoutMs: responseTimeoutMs, limitMs }, () => http.stop())
    },
  }
}
