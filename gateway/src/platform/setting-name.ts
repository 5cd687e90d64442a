/** The name of a setting in the environment: `databaseUrl` → `POSTERN_DATABASE_URL`. Pure, and without the schema. */
export function environmentName(key: string): string {
  return `POSTERN_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
