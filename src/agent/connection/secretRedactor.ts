import { createRedactor, type Redactor } from '../../acp/wire/redact';

/** A redactor that can learn more secrets. */
export class SecretRedactor implements Redactor {
  private readonly secrets = new Set<string>();
  private redactor = createRedactor([]);

  /** Removes these values from now on. */
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
