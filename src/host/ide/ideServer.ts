import { editorToolNames, editorTools, type EditorToolName } from '../../shared/pages/editorTools';
import { Disposable } from '../../shared/values/disposable';
import type { Language } from '../editor/languages';
import type { ReadSettings } from '../settings/settingTable';
import { agentTools } from './agentTools';
import { changeTools } from './changeTools';
import { AcpDoor, type AcpAdmission } from './acpDoor';
import { HttpDoor, type Admission, type Guest } from './httpDoor';
import { toolsFor } from './mcpHandler';
import { readTools } from './readTools';
import { runTools } from './runTools';
import type { EditorTool, ToolRun, ToolServices, ToolSession } from './tool';

const runs: Readonly<Record<EditorToolName, ToolRun>> = { ...readTools, ...changeTools, ...runTools, ...agentTools };

/** The editor's tools, in the order in which agents get them. */
export const allTools: readonly (EditorTool & { readonly isDefault: boolean })[] = editorToolNames.map((name) => ({
  name,
  ...editorTools[name],
  run: runs[name],
}));

/** What the server and its tools need. */
export interface IdeServerOptions extends ToolServices {
  readonly settings: ReadSettings<'editorTools.more' | 'editorTools.disabled'>;
  readonly version: string;
  /** Always returns the same instance. */
  readonly language: () => Language;
}

/** The editor's tools for all sessions of this window, behind two doors. */
export class IdeServer extends Disposable {
  private readonly options: IdeServerOptions;
  /** The way in for agents that reach it through their own connection. */
  readonly acp = this.register(new AcpDoor());
  private readonly http: HttpDoor;

  private constructor(options: IdeServerOptions, http: HttpDoor) {
    super();
    this.options = options;
    this.http = this.register(http);
  }

  static async open(options: IdeServerOptions): Promise<IdeServer> {
    return new IdeServer(options, await HttpDoor.open());
  }

  /** The port of the server on this machine. */
  get port(): number {
    return this.http.port;
  }

  admitOverHttp(session: ToolSession): Admission {
    return this.http.admit(this.guestOf(session));
  }

  admitOverAcp(session: ToolSession): AcpAdmission {
    return this.acp.admit(this.guestOf(session));
  }

  private guestOf(session: ToolSession): Guest {
    return toolsFor(session, () => this.tools(), this.options, this.options.language(), this.options.version);
  }

  private tools(): readonly EditorTool[] {
    const more = new Set(this.options.settings.get('editorTools.more'));
    const disabled = new Set(this.options.settings.get('editorTools.disabled'));
    return allTools.filter(({ name, isDefault }) => (isDefault ? !disabled.has(name) : more.has(name)));
  }
}
