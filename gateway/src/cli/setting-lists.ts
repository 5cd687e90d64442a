/** Settings shared by several commands. A definition names those that its command uses. */

/** Settings of every command that uses the database. */
export const baseSettings = ['databaseUrl', 'maxClockSkewSeconds', 'operatorKey'] as const
export type BaseSetting = (typeof baseSettings)[number]

/** Settings of a command that reads or writes secrets in the database. */
export const secretSettings = ['masterKey', 'previousMasterKey'] as const
export type SecretSetting = (typeof secretSettings)[number]

/** Settings of a command that reads route options with the secrets that they reference. */
export const routeSecretSettings = [...secretSettings, 'routeVariables', 'routeFiles'] as const
export type RouteSecretSetting = (typeof routeSecretSettings)[number]

/** Settings of a command that uses the stored files. */
export const fileSettings = [
  ...(['fileFolder', 'fileS3Bucket', 'fileS3Endpoint', 'fileS3Region'] as const),
  ...(['fileS3AccessKeyId', 'fileS3SecretAccessKey'] as const),
] as const
export type FileSetting = (typeof fileSettings)[number]
