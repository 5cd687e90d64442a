/** POST /v1/file/{serviceType}[/{msgType}[/{subType}]]: registers an image for later messages. */
import { requireAccount } from '../accounts/request-account.ts'
import multipart from '@fastify/multipart'
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { answerWith } from '../contract/answer.ts'
import type { FormatTime } from '../contract/times.ts'
import { discardRest, usualDiscard, type DiscardLimits } from './discard.ts'
import type { FileMetadata } from './file.ts'
import { findRule } from './paths.ts'
import { receiveImage } from './receive.ts'
import { imgUrlOf, mediaOf } from './references.ts'
import { registerFile, type FileRegistry } from './register.ts'
import type { ImageRule } from './rules.ts'
import { openSpool } from './spool.ts'

/** Published clients refuse any other field in `data`. */
export const UploadAnswer = answerWith(
  {
    fileKey: Type.String({ description: 'Key of the file; MMS sends take it in fileKey' }),
    expired: Type.String({
      description: 'Until when sends may use it: yyyy-MM-dd HH:mm:ss, in the zone of all other times',
    }),
    media: Type.Optional(Type.String({ description: 'RCS only: what sends put into media (maapfile://…)' })),
    imgUrl: Type.Optional(
      Type.String({ description: 'Friendtalk and brandmessage only: what sends put into imgUrl' }),
    ),
  },
  'How sends refer to the file',
)
type Registered = Static<typeof UploadAnswer>['data']

export interface FileRoutesOptions extends FileRegistry {
  readonly formatTime: FormatTime
  /** Address under which images are reachable by their key. */
  readonly publicFileBase: string
  /** Where uploads wait until they are checked; the system's folder for temporary files by default. */
  readonly spoolFolder?: string
  readonly discard?: DiscardLimits
}

interface Path {
  readonly serviceType: string
  readonly msgType?: string
  readonly subType?: string
}

export function fileRoutes(options: FileRoutesOptions): FastifyPluginCallback {
  const { formatTime, publicFileBase, spoolFolder, discard = usualDiscard } = options

  async function upload(request: FastifyRequest<{ Params: Path }>): Promise<Registered> {
    const { serviceType, msgType, subType } = request.params
    const kindSegments = [msgType, subType].filter((segment) => segment !== undefined)
    const rule = findRule(serviceType, ...kindSegments)
    const spool = await openSpool(spoolFolder)
    try {
      const image = await receiveImage(request, rule, spool)
      const file = await registerFile(options, requireAccount(request).id, rule, image, spool, new Date())
      return describe(file, rule)
    } finally {
      await spool.close()
    }
  }

  function describe(file: FileMetadata, rule: ImageRule): Registered {
    return {
      fileKey: file.key,
      // yyyy-MM-dd HH:mm:ss, in the zone of all other times
      expired: formatTime(file.expiresAt).slice(0, 19).replace('T', ' '),
      ...(rule.reference === 'media' ? { media: mediaOf(file.key) } : {}),
      ...(rule.reference === 'imgUrl' ? { imgUrl: imgUrlOf(publicFileBase, file.key) } : {}),
    }
  }

  return (server, _options, done) => {
    // Whatever else is sent is refused by the handler, with words that fit, and never parsed.
    server.removeAllContentTypeParsers()
    server.register(multipart)
    server.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    for (const path of [
      '/v1/file/:serviceType',
      '/v1/file/:serviceType/:msgType',
      '/v1/file/:serviceType/:msgType/:subType',
    ]) {
      server.post<{ Params: Path }>(
        path,
        { schema: { response: { 200: UploadAnswer } } },
        async (request) => {
          try {
            return { code: 'A000', result: 'Success', data: await upload(request) }
          } catch (error) {
            discardRest(request.raw, discard)
            throw error
          }
        },
      )
    }
    done()
  }
}
