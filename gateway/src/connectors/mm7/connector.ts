/**
 * Submits LMS and MMS over MM7. It keeps no state between submissions: the link is up from start to stop, and the route's
 * breaker answers a carrier that cannot be reached. Created by the registry for dispatch.
 */
import type { SubmissionContent } from '../../channels/mms/mms.ts'
import { clock } from '../../platform/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient } from '../http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { findOutside } from './charset.ts'
import { dialects } from './dialect.ts'
import { isRepeatable, outcomeOf } from './outcome.ts'
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
    if (message.channel !== 'mms') return refused('unsupported', 'mm7:channel', 'only LMS and MMS are sent')
    const { content } = message
    const charset = options.charset ?? dialects[options.dialect].charset
    // Markup can carry any character, by a reference.
    const outside = isMarkup(content) ? null : findOutside(content.text, charset)
    if (outside !== null) {
      const point = outside.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      return refused('unsupported', 'mm7:charset', `U+${point} is not in the charset of the carrier`)
    }
    const images = await readImages(content.fileKeys)
    if (!Array.isArray(images)) return images
    // It may have been stopped while the files were read.
    if (!linked) return open.down
    const request = submitRequest(options, submission, content, images, clock.date())
    return outcomeOf(options, await client.send({ method: 'POST', url: options.url, ...request }))
  }

  function isMarkup({ fileKeys }: SubmissionContent): boolean {
    return options.dialect === 'skt' || (options.dialect === 'kt' && fileKeys.length > 0)
  }

  async function readImages(keys: readonly string[]): Promise<Buffer[] | SubmitOutcome> {
    const files = await Promise.all(keys.map((key) => context.openFile(key))).catch(() => null)
    if (files === null)
      return { kind: 'unreachable', code: 'mm7:files', text: 'the store of files is unavailable' }
    const images: Buffer[] = []
    for (const file of files) {
      if (file === null) return refused('attachment', 'mm7:file', 'a file does not exist any more')
      if (file.contentType !== 'image/jpeg') return refused('attachment', 'mm7:file', 'a file is not a JPEG')
      if (file.bytes.length > options.maxImageBytes)
        return refused('attachment', 'mm7:file', `a file has more than ${options.maxImageBytes} bytes`)
      images.push(file.bytes)
    }
    return images
  }
}

function refused(cause: 'unsupported' | 'attachment', code: string, text: string): SubmitOutcome {
  return { kind: 'refused', cause, code, text }
}
