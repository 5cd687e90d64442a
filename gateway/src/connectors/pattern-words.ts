/**
 * The patterns of options in words, for errors. A pattern that is missing here is shown itself; registry.test.ts requires
 * all of them. Pure.
 */

export const patternWords: Readonly<Record<string, string>> = {
  '^[\\x20-\\x7E]*$': 'printable ASCII',
  '^[\\x21-\\x7E]*$': 'printable ASCII without spaces',
  '^[\\x21-\\x7E]+$': 'printable ASCII without spaces',
  '^[\\x21-\\x7E]{1,128}$': '1 to 128 characters of printable ASCII without spaces',
  '^[A-Za-z0-9_-]{16,128}$': '16 to 128 letters, digits, hyphens and underscores',
  '^[A-Za-z0-9._~-]{1,128}$': '1 to 128 letters, digits and the characters . _ ~ -',
  '^[A-Za-z0-9_.-]{1,64}$': '1 to 64 letters, digits and the characters _ . -',
  '^[A-Za-z0-9._-]{1,64}$': '1 to 64 letters, digits and the characters . _ -',
  '^[A-Za-z0-9_/-]{1,64}$': '1 to 64 letters, digits and the characters _ / -',
  '^[A-Za-z0-9-]{1,32}$': '1 to 32 letters, digits and hyphens',
  '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$':
    'letters, digits, hyphens and underscores, in parts separated by dots',
  '^[1-9]\\d{0,3}$': 'a country code of 1 to 4 digits that does not begin with 0',
  '^[0-9A-Za-z]{1,20}$': '1 to 20 digits and letters',
  '^\\d{3,20}$': '3 to 20 digits',
  '^https?://\\S+$': 'an http or https address without spaces',
  '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$': 'an http or https address without spaces and without credentials',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$": 'the name of a header, up to 64 characters',
  '^(?:body|(?:/(?:[^~/]|~[01])*)+)$': '"body" or a JSON Pointer, such as /messages/0/id',
}
