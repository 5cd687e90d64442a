/** The version of the package.
 * Generated from client/package.json; change the source and run `npm run generate`. */

export const version = '0.1.0'
