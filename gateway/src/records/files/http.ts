/**
 * POST /v1/file/{serviceType}[/{msgType}[/{subType}]] registers an image for later messages; DELETE /v1/file/{fileKey}
 * deletes it before it expires.
 */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import multipart from '@fastify/multipart'
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { responseSchema, StatusResponse } from '../../contract/response.ts'
import { invalidField } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { discardRest, defaultDiscard, type DiscardLimits } from './storage/discard.ts'
import { deleteFile } from './storage/delete.ts'
import type { FileMetadata } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'
import { findImageRule } from './storage/paths.ts'
import { receiveImage } from './receive.ts'
import { toImgUrl, toMedia } from './references.ts'
import { registerFile, type FileRegistry } from './register.ts'
import type { ImageRule } from './rules.ts'
import { openSpool } from './storage/spool.ts'
import { clock } from '../../platform/time/clock.ts'

/** Published clients reject any other field in `data`. */
export const UploadResponse = responseSchema(
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
type RegisteredFile = Static<typeof UploadResponse>['data']

export interface FileRoutesOptions extends FileRegistry {
  readonly formatTime: FormatTime
  /** Base URL under which images are served by their key. */
  readonly publicFileUrl: string
  /** Holds uploads until they are stored or refused; by default the system's temporary directory. */
  readonly spoolFolder?: string
  readonly discard?: DiscardLimits
}

interface Path {
  readonly serviceType: string
  readonly msgType?: string
  readonly subType?: string
}

export function fileRoutes(options: FileRoutesOptions): FastifyPluginCallback {
  const { formatTime, publicFileUrl, spoolFolder, discard = defaultDiscard } = options

  async function upload(request: FastifyRequest<{ Params: Path }>): Promise<RegisteredFile> {
    const { serviceType, msgType, subType } = request.params
    const kindSegments = [msgType, subType].filter((segment) => segment !== undefined)
    const rule = findImageRule(serviceType, ...kindSegments)
    const spool = await openSpool(spoolFolder)
    try {
      const image = await receiveImage(request, rule, spool)
      const file = await registerFile(options, requireAccount(request).id, rule, image, spool, clock.date())
      return describe(file, rule)
    } finally {
      await spool.close()
    }
  }

  function describe(file: FileMetadata, rule: ImageRule): RegisteredFile {
    return {
      fileKey: file.key,
      expired: formatTime(file.expiresAt).slice(0, 19).replace('T', ' '),
      ...(rule.reference === 'media' ? { media: toMedia(file.key) } : {}),
      ...(rule.reference === 'imgUrl' ? { imgUrl: toImgUrl(publicFileUrl, file.key) } : {}),
    }
  }

  return (server, _options, done) => {
    // Other content types are not parsed; the handler refuses them with an error that names the right one.
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
        { schema: { response: { 200: UploadResponse } } },
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
      { schema: { response: { 200: StatusResponse } } },
      async (request) => {
        const { fileKey } = request.params
        const { database, store, lookup } = options
        const accountId = requireAccount(request).id
        const isDeleted = isFileKey(fileKey) && (await deleteFile({ database, store }, accountId, fileKey))
        lookup.forget(fileKey)
        if (!isDeleted) throw invalidField('A217', 'fileKey', 'file not found')
        return { code: 'A000', result: 'Success' }
      },
    )
    done()
  }
}
