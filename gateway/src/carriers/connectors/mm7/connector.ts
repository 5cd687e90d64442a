/**
 * Submits LMS and MMS over MM7. Has no session at the carrier: the link is up from start to stop, and the circuit breaker of the
 * route handles an unreachable carrier.
 */
import type { SubmissionContent } from '../../../channels/mms/mms.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient } from '../http/http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { findUnsupportedCharacter } from './charset.ts'
import { dialects } from './dialect.ts'
import { isRepeatable, toMm7Outcome } from './outcome.ts'
import type { Mm7Options } from './options.ts'
import { submitRequest } from './submit-request.ts'

const maxAnswerBytes = 262_144

export function createMm7Connector(options: Mm7Options, context: ConnectorContext): Connector {
  const client = new HttpClient({
    connections: options.window,
    connectTimeoutMs: options.connectTimeoutMs,
    timeoutMs: options.responseTimeoutMs,
    maxAnswerBytes,
    tls: options.tls ?? {},
  })
  const open = new OpenSubmissions('mm7', options.window)
  let linked = false

  return {
    repeatable: isRepeatable(options),
    window: options.window,
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
      return open.drain({ ...options, limitMs }, () => client.stop())
    },
  }

  async function send(submission: Submission): Promise<SubmitOutcome> {
    const { message } = submission
    if (message.channel !== 'mms')
      return refused('unsupported', 'mm7:channel', 'only LMS and MMS are supported')
    const { content } = message
    const charset = options.charset ?? dialects[options.dialect].charset
    // Only plain text is checked: in markup, characters outside the charset are written as numeric references.
    const outside = isMarkup(content) ? null : findUnsupportedCharacter(content.text, charset)
    if (outside !== null) {
      const point = outside.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      return refused('unsupported', 'mm7:charset', `U+${point} is not in the charset of the carrier`)
    }
    const images = await readImages(content.fileKeys)
    if (!Array.isArray(images)) return images
    // The link can have stopped while the files were read.
    if (!linked) return open.down
    const request = submitRequest(options, submission, content, images, clock.date())
    return toMm7Outcome(options, await client.send({ method: 'POST', url: options.url, ...request }))
  }

  /** As `writeContent` writes the text: XHTML at SKT, HTML at KT if there are images, otherwise plain text. */
  function isMarkup({ fileKeys }: SubmissionContent): boolean {
    return options.dialect === 'skt' || (options.dialect === 'kt' && fileKeys.length > 0)
  }

  async function readImages(keys: readonly string[]): Promise<Buffer[] | SubmitOutcome> {
    const files = await Promise.all(keys.map((key) => context.openFile(key))).catch(() => null)
    if (files === null) return { kind: 'unreachable', code: 'mm7:files', text: 'file store unavailable' }
    const images: Buffer[] = []
    for (const file of files) {
      if (file === null) return refused('attachment', 'mm7:file', 'file not found')
      if (file.contentType !== 'image/jpeg') return refused('attachment', 'mm7:file', 'images must be JPEG')
      if (file.bytes.length > options.maxImageBytes)
        return refused('attachment', 'mm7:file', `images must have at most ${options.maxImageBytes} bytes`)
      images.push(file.bytes)
    }
    return images
  }
}

function refused(cause: 'unsupported' | 'attachment', code: string, text: string): SubmitOutcome {
  return { kind: 'refused', cause, code, text }
}
