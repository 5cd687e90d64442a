/** The store that the settings name. */
import type { Config } from '../platform/config.ts'
import { openFileStore, type FileStore } from './store.ts'

export function openConfiguredStore(config: Config): Promise<FileStore> {
  const { fileS3Bucket: bucket, fileS3Endpoint: endpoint, fileS3Region: region } = config
  if (bucket === undefined) return openFileStore({ folder: config.fileFolder })
  const { fileS3AccessKeyId: accessKeyId, fileS3SecretAccessKey: secretAccessKey } = config
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }
  return openFileStore({
    s3: { bucket, region, ...(endpoint === undefined ? {} : { endpoint }), ...credentials },
  })
}
