/**
 * Stores files in a bucket of S3 or a compatible server: path-style addresses, and no feature that older compatible
 * servers lack.
 */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isFileKey } from './file.ts'
import type { FileStore } from './store.ts'

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Default: the endpoint of Amazon for the region. */
  readonly endpoint?: string
  /** Default: the credential chain of AWS (environment, profile, instance role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export function openS3Store(options: S3Options): FileStore {
  const { bucket, ...connection } = options
  const client = new S3Client({
    ...connection,
    forcePathStyle: true,
    maxAttempts: 3,
    // Not every server supports checksums in trailers; the signature covers the bytes anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  })

  function objectOf(key: string): { readonly Bucket: string; readonly Key: string } {
    if (!isFileKey(key)) throw new Error('a file store accepts file keys only')
    return { Bucket: bucket, Key: key }
  }

  return {
    async put(key, content) {
      // A few megabytes at most. In memory they can be signed, and sent again when the server is busy.
      const Body = await buffer(content)
      await client.send(new PutObjectCommand({ ...objectOf(key), Body }))
    },
    async open(key) {
      const { Body } = await client.send(new GetObjectCommand(objectOf(key)))
      if (Body === undefined) throw new Error(`the bucket has no object ${key}`)
      return Body as Readable
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)))
    },
  }
}
