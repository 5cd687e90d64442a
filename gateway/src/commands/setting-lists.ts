/** Settings that commands have in common: a definition names those that its command uses. */

/** What every command that uses the database loads. */
export const baseSettings = ['databaseUrl', 'maxClockSkewSeconds', 'operatorKey'] as const
export type BaseSetting = (typeof baseSettings)[number]

/** The settings of a command that reads or writes secrets in the database. */
export const secretSettings = ['masterKey', 'previousMasterKey'] as const
export type SecretSetting = (typeof secretSettings)[number]

/** The settings of a command that reads the options of a route with the secrets that they refer to. */
export const routeSecretSettings = [...secretSettings, 'routeVariables', 'routeFiles'] as const
export type RouteSecretSetting = (typeof routeSecretSettings)[number]

/** The settings of a command that uses the stored files. */
export const fileSettings = [
  ...(['fileFolder', 'fileS3Bucket', 'fileS3Endpoint', 'fileS3Region'] as const),
  ...(['fileS3AccessKeyId', 'fileS3SecretAccessKey'] as const),
] as const
export type FileSetting = (typeof fileSettings)[number]
