/**
 * Stores files in a bucket of S3 or a compatible server: path-style addresses, and no feature that older
 * compatible servers lack.
 */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isFileKey } from '../../../contract/file-key.ts'
import type { FileStore } from './store.ts'

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Defaults to the Amazon endpoint of the region. */
  readonly endpoint?: string
  /** Defaults to the AWS credential chain (environment, profile, instance role). */
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

  function toObject(key: string): { readonly Bucket: string; readonly Key: string } {
    if (!isFileKey(key)) throw new Error('a file store accepts file keys only')
    return { Bucket: bucket, Key: key }
  }

  return {
    async put(key, content) {
      // A file has a few megabytes at most. In memory it can be signed, and sent again if the server is busy.
      const Body = await buffer(content)
      await client.send(new PutObjectCommand({ ...toObject(key), Body }))
    },
    async open(key) {
      const { Body } = await client.send(new GetObjectCommand(toObject(key)))
      if (Body === undefined) throw new Error(`the bucket has no object ${key}`)
      return Body as Readable
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(toObject(key)))
    },
  }
}
