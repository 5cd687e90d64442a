/** Settings that commands have in common: a definition names those that its command uses. */

/** What every command that uses the database loads. */
export const baseSettings = ['databaseUrl', 'maxClockSkewSeconds', 'operatorKey'] as const
export type BaseSetting = (typeof baseSettings)[number]

/** The settings of a command that uses RabbitMQ. */
export const brokerSettings = [
  ...(['brokerUrls', 'brokerCaFile', 'brokerCertFile', 'brokerKeyFile'] as const),
  ...(['queuePrefix', 'publishTimeoutMs'] as const),
] as const
export type BrokerSetting = (typeof brokerSettings)[number]

/** The settings of a command that reads or writes secrets in the database. */
export const secretSettings = ['masterKey', 'previousMasterKey'] as const
export type SecretSetting = (typeof secretSettings)[number]

/** The settings of a command that reads the options of a route with the secrets that they refer to. */
export const routeSecretSettings = [...secretSettings, 'routeVariables', 'routeFiles'] as const
export type RouteSecretSetting = (typeof routeSecretSettings)[number]

/** The settings of a command that changes limits of accounts: it compares with what an account without its own has. */
export const limitSettings = ['sendLimit', 'reportLimit', 'fileLimit', 'formLimit'] as const
export type LimitSetting = (typeof limitSettings)[number]

export const newAccountSettings = [...limitSettings, 'newAccountDayCap'] as const
export type NewAccountSetting = (typeof newAccountSettings)[number]

/** The settings of a command that uses the stored files. */
export const fileSettings = [
  ...(['fileFolder', 'fileS3Bucket', 'fileS3Endpoint', 'fileS3Region'] as const),
  ...(['fileS3AccessKeyId', 'fileS3SecretAccessKey'] as const),
] as const
export type FileSetting = (typeof fileSettings)[number]

/** The settings of a command that calls or changes a webhook. */
export const webhookSettings = [
  ...(['timeZone', 'webhookAllowedNetworks', 'webhookPorts', 'webhookHttp'] as const),
  ...secretSettings,
] as const
export type WebhookSetting = (typeof webhookSettings)[number]

/** The settings of a command that reads or writes the content of messages. */
export const messageSettings = [...secretSettings, 'encryptMessages'] as const
export type MessageSetting = (typeof messageSettings)[number]

/** The settings of a command that hands messages to RabbitMQ or takes them from there. */
export const engineSettings = [...brokerSettings, ...messageSettings] as const
export type EngineSetting = (typeof engineSettings)[number]
