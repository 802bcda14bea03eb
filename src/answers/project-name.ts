// Windows treats these as devices, with any extension.
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

const longestName = 214;

/**
 * The npm package name for a project name: lower case, blanks as hyphens. A scope (`@acme/auth`) stays.
 * The name has passed `nameProblem`.
 */
export function packageNameOf(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '-');
}

/** What to tell people whose name the package does not have as they wrote it. */
export function packageNameRemark(name: string): string[] {
  const given = packageNameOf(name);
  if (given === name) return [];
  return [`npm allows no spaces or capital letters: the package is named ${given}.`];
}

/** Why npm or Windows would refuse the name, as the end of a sentence; undefined if neither does. */
export function nameProblem(name: string): string | undefined {
  const unscoped = name.replace(/^@[a-z0-9][a-z0-9._-]*\//i, '');
  if (unscoped.trim() === '') return 'is empty';
  if (name.length > longestName) return `is longer than ${longestName} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: file names with control characters are refused here
  const forbidden = /[<>:"/\\|?*\u0000-\u001f]/.exec(unscoped)?.[0];
  if (forbidden) return `contains ${JSON.stringify(forbidden)}`;
  if (devices.test(unscoped)) return 'is the name of a device on Windows';
  if (/[. ]$/.test(unscoped)) return 'ends in a dot or a space, which Windows drops';
  if (/^[._-]/.test(unscoped)) return 'begins with a dot, underscore or hyphen, which npm refuses';
  if (/^(node_modules|favicon\.ico)$/i.test(unscoped)) return 'is a name that npm reserves';
  if (!/^[a-z0-9._-]+$/.test(packageNameOf(unscoped))) {
    return 'contains characters that npm refuses: use letters, digits, dots, hyphens and underscores';
  }
  return undefined;
}
