/** Returns the name of a setting in the environment: `POSTERN_DATABASE_URL` for `databaseUrl`. */
export function environmentName(key: string): string {
  return `POSTERN_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
