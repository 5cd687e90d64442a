/**
 * POST /v1/file/{serviceType}[/{msgType}[/{subType}]] registers an image for later messages; DELETE /v1/file/{fileKey}
 * deletes it before it expires.
 */
import { requireAccount } from '../accounts/request-account.ts'
import multipart from '@fastify/multipart'
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { answerWith, PlainAnswer } from '../contract/answer.ts'
import { invalidField } from '../contract/problem.ts'
import type { FormatTime } from '../contract/times.ts'
import { discardRest, defaultDiscard, type DiscardLimits } from './discard.ts'
import { deleteFile } from './delete.ts'
import { isFileKey, type FileMetadata } from './file.ts'
import { findRule } from './paths.ts'
import { receiveImage } from './receive.ts'
import { imgUrlOf, mediaOf } from './references.ts'
import { registerFile, type FileRegistry } from './register.ts'
import type { ImageRule } from './rules.ts'
import { openSpool } from './spool.ts'
import { clock } from '../platform/clock.ts'

/** Published clients refuse any other field in `data`. */
export const UploadAnswer = answerWith(
  {
    fileKey: Type.String({ description: 'Key of the file, for fileKey of MMS sends' }),
    expired: Type.String({
      description:
        'When the file expires for sends: yyyy-MM-dd HH:mm:ss, in the time zone of all other times',
    }),
    media: Type.Optional(
      Type.String({ description: 'RCS only: the value for media of a send (maapfile://…)' }),
    ),
    imgUrl: Type.Optional(
      Type.String({ description: 'Friendtalk and brandmessage only: the value for imgUrl of a send' }),
    ),
  },
  'References to the file for sends',
)
type Registered = Static<typeof UploadAnswer>['data']

export interface FileRoutesOptions extends FileRegistry {
  readonly formatTime: FormatTime
  /** Base URL under which images are served by their key. */
  readonly publicFileBase: string
  /** Holds uploads until they are checked; default: the system's temporary folder. */
  readonly spoolFolder?: string
  readonly discard?: DiscardLimits
}

interface Path {
  readonly serviceType: string
  readonly msgType?: string
  readonly subType?: string
}

export function fileRoutes(options: FileRoutesOptions): FastifyPluginCallback {
  const { formatTime, publicFileBase, spoolFolder, discard = defaultDiscard } = options

  async function upload(request: FastifyRequest<{ Params: Path }>): Promise<Registered> {
    const { serviceType, msgType, subType } = request.params
    const kindSegments = [msgType, subType].filter((segment) => segment !== undefined)
    const rule = findRule(serviceType, ...kindSegments)
    const spool = await openSpool(spoolFolder)
    try {
      const image = await receiveImage(request, rule, spool)
      const file = await registerFile(options, requireAccount(request).id, rule, image, spool, clock.date())
      return describe(file, rule)
    } finally {
      await spool.close()
    }
  }

  function describe(file: FileMetadata, rule: ImageRule): Registered {
    return {
      fileKey: file.key,
      // yyyy-MM-dd HH:mm:ss, in the time zone of all other times
      expired: formatTime(file.expiresAt).slice(0, 19).replace('T', ' '),
      ...(rule.reference === 'media' ? { media: mediaOf(file.key) } : {}),
      ...(rule.reference === 'imgUrl' ? { imgUrl: imgUrlOf(publicFileBase, file.key) } : {}),
    }
  }

  return (server, _options, done) => {
    // Other content types are not parsed; the handler refuses them with an error that says what to send.
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
    server.delete<{ Params: { fileKey: string } }>(
      '/v1/file/:fileKey',
      { schema: { response: { 200: PlainAnswer } } },
      async (request) => {
        const { fileKey } = request.params
        const { database, store, lookup } = options
        const accountId = requireAccount(request).id
        const isDeleted = isFileKey(fileKey) && (await deleteFile({ database, store }, accountId, fileKey))
        lookup.forget(fileKey)
        if (!isDeleted) throw invalidField('A217', 'fileKey', 'there is no such file')
        return { code: 'A000', result: 'Success' }
      },
    )
    done()
  }
}
