import { createRedactor, type Redactor } from '../acp/redact';

/** A redactor that learns of secrets as they become known. */
export class SecretRedactor implements Redactor {
  private readonly secrets = new Set<string>();
  private redactor = createRedactor([]);

  /** From now on these values are taken out. */
  hide(secrets: readonly string[]): void {
    for (const secret of secrets) if (secret !== '') this.secrets.add(secret);
    this.redactor = createRedactor([...this.secrets]);
  }

  redact(value: unknown): unknown {
    return this.redactor.redact(value);
  }

  redactText(text: string): string {
    return this.redactor.redactText(text);
  }
}
