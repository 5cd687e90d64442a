/** Builds the request of a submission with its password masked and its body as text, for `postern route try`. */
import { clock } from '../../../platform/time/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../options/kind.ts'
import { dialects } from './dialect.ts'
import type { Mm7Options } from './options.ts'
import { submitRequest } from './submit-request.ts'

export function previewMm7(options: Mm7Options, submission: Submission): RequestPreview {
  const { message } = submission
  if (message.channel !== 'mms') throw new Error('protocol mm7 supports only LMS and MMS')
  // Omits images, because the file store is not read.
  const { headers, body } = submitRequest(options, submission, message.content, [], clock.date())
  const { authorization, ...others } = headers
  const charset = options.charset ?? dialects[options.dialect].charset
  return {
    method: 'POST',
    url: options.url,
    headers: authorization === undefined ? others : { ...others, authorization: 'Basic ***' },
    body: new TextDecoder(charset === 'utf-8' ? 'utf-8' : 'euc-kr').decode(body),
  }
}
