/** Environment variables of a process that a test starts. */
export type Environment = Readonly<Record<string, string>>
