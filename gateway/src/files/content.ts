/**
 * GET /v1/file/content/{key}: the image behind an `imgUrl`, for carriers and handsets. No token is asked: the key
 * cannot be guessed. Only files that have an `imgUrl`, and only as the image they were found to be.
 */
import type { FastifyPluginCallback } from 'fastify'
import { contentTypes } from './image/image.ts'
import type { FileLookup } from './lookup.ts'
import { removalOf } from './removal.ts'
import { imageRules } from './rules.ts'
import type { FileStore } from './store.ts'

export interface FileContentRoutesOptions {
  readonly lookup: FileLookup
  readonly store: FileStore
}

const published = new Set(
  imageRules.filter((rule) => rule.reference === 'imgUrl').map((rule) => rule.serviceType),
)

export function fileContentRoutes(options: FileContentRoutesOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get<{ Params: { key: string } }>('/v1/file/content/:key', async (request, reply) => {
      const file = await options.lookup.find(request.params.key)
      const now = Date.now()
      // After its expiry a file may still be fetched for messages accepted before.
      if (file === null || !published.has(file.serviceType) || removalOf(file).getTime() <= now) {
        reply.callNotFound()
        return reply
      }
      const content = await options.store.open(file.key)
      const maxAgeSeconds = Math.max(0, Math.floor((file.expiresAt.getTime() - now) / 1000))
      return (
        reply
          .header('content-type', contentTypes[file.format])
          .header('content-length', file.bytes)
          .header('cache-control', `public, max-age=${maxAgeSeconds}, immutable`)
          // A file that is an image and something else besides must only ever be an image to a browser.
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(content)
      )
    })
    done()
  }
}
