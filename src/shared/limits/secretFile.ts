import { guardedPlace } from './guardedPlaces';

/** Names of files that usually contain keys, tokens, or passwords, in lower case. */
const secretNames = [
  /^\.env(?!\.(?:example|sample|template|dist|schema)$)(?:\..*)?$/,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfvars|tfstate)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^\.?(?:secrets?|credentials?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/,
  /^\.?(?:htpasswd|pgpass|my\.cnf|vault_pass)$/,
];

/** Returns true if a file probably contains secrets, by its path. `root` is the workspace folder. */
export function isSecretFile(path: string, root = ''): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  return secretNames.some((secret) => secret.test(name)) || guardedPlace(path, root)?.reason === 'credentials';
}
