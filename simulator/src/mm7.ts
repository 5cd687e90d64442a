/**
 * Simulates an MMSC: MM7 (SOAP with attachments over HTTP) on one port, control on another. Posts delivery
 * reports to `reportUrl` until they are acknowledged. Shares no code with the gateway.
 */
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import type { HttpOutcome, HttpRequest } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import type { WebhookResponse } from './shared/webhook-sender.ts'
import { dialects } from './mm7/dialects.ts'
import { echoResponse, errorResponse } from './mm7/envelopes.ts'
import { decodeEucKr } from './mm7/euc-kr.ts'
import { Mmsc } from './mm7/handle-submission.ts'
import type { Mm7Entry } from './mm7/handle-submission.ts'
import { defaults } from './mm7/settings.ts'
import type { Mm7Options } from './mm7/settings.ts'
import { parseMm7Request } from './mm7/submission.ts'
import { child, parseXml } from './mm7/xml.ts'

export type { Mm7Entry, Mm7Options }

/** Acknowledged by HTTP 200 and a DeliveryReportRsp with StatusCode 1000. */
function acknowledges({ status, body }: WebhookResponse): boolean {
  if (status !== 200) return false
  const operation = child(parseXml(decodeEucKr(body).text), 'Body')?.children[0]
  return operation?.name === 'DeliveryReportRsp' && child(operation, 'Status', 'StatusCode')?.text === '1000'
}

export async function startMm7(options: Partial<Mm7Options> = {}): Promise<HttpCarrier<Mm7Entry>> {
  const settings: Mm7Options = { ...defaults, ...options }
  const dialect = dialects[settings.dialect]
  const path = settings.path ?? dialect.path
  const state = new CarrierState<Mm7Entry>(settings, acknowledges)
  const mmsc = new Mmsc(settings, state)
  const authorization =
    settings.basicAuth === undefined
      ? undefined
      : `Basic ${Buffer.from(settings.basicAuth).toString('base64')}`

  async function handle(request: HttpRequest): Promise<HttpOutcome> {
    if (request.method !== 'POST' || request.path !== path) return mmsc.xml('', 404)
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="mm7"' }, body: '' }
    }
    const parsed = parseMm7Request(
      dialect,
      request.headers['content-type'] ?? '',
      request.body,
      settings.maxImageBytes,
    )
    if (parsed.kind === 'echo') return mmsc.xml(echoResponse(dialect, parsed.transactionId))
    state.countSubmit()
    if (parsed.kind === 'submit') return mmsc.submit(parsed)
    state.counters.refused++
    const code = dialect.refusals[parsed.refusal]
    // The response is an RSErrorRsp if the operation is unreadable.
    const isUnreadable =
      parsed.refusal === 'mime' || parsed.refusal === 'xml' || parsed.refusal === 'operation'
    const reply = isUnreadable
      ? mmsc.xml(errorResponse(settings.dialect, dialect, parsed.transactionId, code))
      : mmsc.refuse(parsed.transactionId, parsed.refusal)
    return { ...reply, headers: { ...reply.headers, 'x-simulator-reason': parsed.reason } }
  }

  return startHttpCarrier({ options: settings, state, handler: handle, onReset: () => mmsc.forget() })
}
