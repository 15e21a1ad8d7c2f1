/** Grok's patterns for whole lines of logs. */
const raw = String.raw;

/** Patterns for lines of logs, by name. */
export const LOG_PATTERNS: Readonly<Record<string, string>> = {
  SYSLOGPROG: raw`%{PROG:program}(?:\[%{POSINT:pid}\])?`,
  SYSLOGHOST: raw`%{IPORHOST}`,
  SYSLOGFACILITY: raw`<%{NONNEGINT:facility}.%{NONNEGINT:priority}>`,
  SYSLOGBASE: raw`%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} %{SYSLOGPROG}:`,
  SYSLOGBASE2:
    raw`(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) (?:%{SYSLOGFACILITY} )?` +
    raw`%{SYSLOGHOST:logsource}+(?: %{SYSLOGPROG}:|)`,
  SYSLOGPAMSESSION:
    raw`%{SYSLOGBASE} %{WORD:pam_module}\(%{DATA:pam_caller}\): session ` +
    raw`%{WORD:pam_session_state} for user %{USERNAME:username}(?: by %{GREEDYDATA:pam_by})?`,
  CRON_ACTION: raw`[A-Z ]+`,
  CRONLOG: raw`%{SYSLOGBASE} \(%{USER:user}\) %{CRON_ACTION:action} \(%{DATA:message}\)`,
  SYSLOGLINE: raw`%{SYSLOGBASE2} %{GREEDYDATA:message}`,
  SYSLOG5424PRINTASCII: raw`[!-~]+`,
  SYSLOG5424PRI: raw`<%{NONNEGINT:syslog5424_pri}>`,
  SYSLOG5424SD: raw`\[%{DATA}\]+`,
  SYSLOG5424BASE:
    raw`%{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver} +(?:%{TIMESTAMP_ISO8601:syslog5424_ts}|-) +` +
    raw`(?:%{IPORHOST:syslog5424_host}|-) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_app}) +` +
    raw`(?:-|%{SYSLOG5424PRINTASCII:syslog5424_proc}) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_msgid}) +` +
    raw`(?:%{SYSLOG5424SD:syslog5424_sd}|-|)`,
  SYSLOG5424LINE: raw`%{SYSLOG5424BASE} +%{GREEDYDATA:syslog5424_msg}`,
  HTTPDUSER: raw`(?:%{EMAILADDRESS}|%{USER})`,
  HTTPD_COMMONLOG:
    raw`%{IPORHOST:clientip} %{HTTPDUSER:ident} %{HTTPDUSER:auth} \[%{HTTPDATE:timestamp}\] ` +
    raw`"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})" ` +
    raw`(?:-|%{NUMBER:response}) (?:-|%{NUMBER:bytes})`,
  HTTPD_COMBINEDLOG: raw`%{HTTPD_COMMONLOG} %{QS:referrer} %{QS:agent}`,
  HTTPD20_ERRORLOG: raw`\[%{HTTPDERROR_DATE:timestamp}\] \[%{LOGLEVEL:loglevel}\] (?:\[client %{IPORHOST:clientip}\] ){0,1}%{GREEDYDATA:message}`,
  HTTPD24_ERRORLOG:
    raw`\[%{HTTPDERROR_DATE:timestamp}\] \[%{WORD:module}:%{LOGLEVEL:loglevel}\] \[pid %{POSINT:pid}(?::tid %{NUMBER:tid})?\]` +
    raw`(?: \(%{POSINT:proxy_errorcode}\)%{DATA:proxy_message}:)?(?: \[client %{IPORHOST:clientip}:%{POSINT:clientport}\])?` +
    raw`(?: %{DATA:errorcode}:)? %{GREEDYDATA:message}`,
  HTTPD_ERRORLOG: raw`%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG}`,
  COMMONAPACHELOG: raw`%{HTTPD_COMMONLOG}`,
  COMBINEDAPACHELOG: raw`%{HTTPD_COMBINEDLOG}`,
  JAVACLASS: raw`(?:[a-zA-Z$_][a-zA-Z$_0-9]*\.)*[a-zA-Z$_][a-zA-Z$_0-9]*`,
  JAVAFILE: raw`[a-zA-Z$_0-9. -]+`,
  JAVAMETHOD: raw`(?:<(?:cl)?init>|[a-zA-Z$_][a-zA-Z$_0-9]*)`,
  JAVASTACKTRACEPART: raw`%{SPACE}at %{JAVACLASS:class}\.%{JAVAMETHOD:method}\(%{JAVAFILE:file}(?::%{INT:line})?\)`,
  JAVATHREAD: raw`[A-Z]{2}-Processor[\d]+`,
  JAVALOGMESSAGE: raw`.*`,
  CATALINALOG: raw`%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class} %{JAVALOGMESSAGE:logmessage}`,
  TOMCATLOG: raw`%{TOMCAT_DATESTAMP:timestamp} \| %{LOGLEVEL:level} \| %{JAVACLASS:class} - %{JAVALOGMESSAGE:logmessage}`,
  MONGO_LOG: raw`%{SYSLOGTIMESTAMP:timestamp} \[%{WORD:component}\] %{GREEDYDATA:message}`,
  MONGO_WORDDASH: raw`\b[\w-]+\b`,
  MONGO3_SEVERITY: raw`\w`,
  MONGO3_COMPONENT: raw`%{WORD}|-`,
  MONGO3_LOG:
    raw`%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:severity} (?:%{MONGO3_COMPONENT:component})%{SPACE}` +
    raw`(?:\[%{DATA:context}\])? %{GREEDYDATA:message}`,
  POSTGRESQL: raw`%{DATESTAMP:timestamp} %{TZ} %{DATA:user_id} %{GREEDYDATA:connection_id} %{POSINT:pid}`,
  REDISLOG: raw`\[%{POSINT:pid}\] %{REDISTIMESTAMP:timestamp} \* `,
  RUBY_LOGLEVEL: raw`(?:DEBUG|FATAL|ERROR|WARN|INFO)`,
  RUBY_LOGGER:
    raw`[DFEWI], \[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid}\] *%{RUBY_LOGLEVEL:loglevel} -- +%{DATA:progname}: ` +
    raw`%{GREEDYDATA:message}`,
  RUUID: raw`[0-9a-fA-F]{32}`,
  RCONTROLLER: raw`(?<controller>[^#]+)#(?<action>\w+)`,
  SQUID3:
    raw`%{NUMBER:timestamp}\s+%{NUMBER:duration}\s%{IP:client_address}\s%{WORD:cache_result}/%{NONNEGINT:status_code}\s` +
    raw`%{NUMBER:bytes}\s%{WORD:request_method}\s%{NOTSPACE:url}\s(?:%{NOTSPACE:user}|-)\s%{WORD:hierarchy_code}/` +
    raw`(?:%{IPORHOST:server}|-)\s%{NOTSPACE:content_type}`,
  MAVEN_VERSION: raw`(?:\d+)\.(?:\d+)\.(?:\d+)(?:[.-](?:RELEASE|SNAPSHOT))?`,
};
