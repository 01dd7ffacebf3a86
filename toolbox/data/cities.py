"""Names of places to learn from: those in the names of the time zone database, which is in the public domain.

Each is the last part of a zone's name in version 2025b: "buenos aires" of America/Argentina/Buenos_Aires. Left out are
names that only stand for a region or are cut short: ACT, NSW, LHI, North, South, West, Knox_IN, ComodRivadavia,
DumontDUrville.
Source: iana.org/time-zones, where the database is kept.
"""

NAMES = """\
abidjan, accra, adak, addis ababa, adelaide, aden, algiers, almaty, amman, amsterdam, anadyr, anchorage, andorra,
anguilla, antananarivo, antigua, apia, aqtau, aqtobe, araguaina, aruba, ashgabat, ashkhabad, asmara, asmera,
astrakhan, asuncion, athens, atikokan, atka, atyrau, auckland, azores, baghdad, bahia, bahia banderas, bahrain,
baku, bamako, bangkok, bangui, banjul, barbados, barnaul, beirut, belem, belfast, belgrade, belize, berlin, bermuda,
beulah, bishkek, bissau, blanc-sablon, blantyre, boa vista, bogota, boise, bougainville, bratislava, brazzaville,
brisbane, broken hill, brunei, brussels, bucharest, budapest, buenos aires, bujumbura, busingen, cairo, calcutta,
cambridge bay, campo grande, canary, canberra, cancun, cape verde, caracas, casablanca, casey, catamarca, cayenne,
cayman, center, ceuta, chagos, chatham, chicago, chihuahua, chisinau, chita, choibalsan, chongqing, christmas,
chungking, chuuk, ciudad juarez, cocos, colombo, comoro, conakry, copenhagen, coral harbour, cordoba, costa rica,
coyhaique, creston, cuiaba, curacao, currie, dacca, dakar, damascus, danmarkshavn, dar es salaam, darwin, davis,
dawson, dawson creek, denver, detroit, dhaka, dili, djibouti, dominica, douala, dubai, dublin, dushanbe, easter,
edmonton, efate, eirunepe, el aaiun, el salvador, enderbury, ensenada, eucla, faeroe, fakaofo, famagusta, faroe,
fiji, fort nelson, fort wayne, fortaleza, freetown, funafuti, gaborone, galapagos, gambier, gaza, gibraltar, glace
bay, godthab, goose bay, grand turk, grenada, guadalcanal, guadeloupe, guam, guatemala, guayaquil, guernsey, guyana,
halifax, harare, harbin, havana, hebron, helsinki, hermosillo, ho chi minh, hobart, hong kong, honolulu, hovd,
indianapolis, inuvik, iqaluit, irkutsk, isle of man, istanbul, jakarta, jamaica, jan mayen, jayapura, jersey,
jerusalem, johannesburg, johnston, juba, jujuy, juneau, kabul, kaliningrad, kamchatka, kampala, kanton, karachi,
kashgar, kathmandu, katmandu, kerguelen, khandyga, khartoum, kiev, kigali, kinshasa, kiritimati, kirov, knox,
kolkata, kosrae, kralendijk, krasnoyarsk, kuala lumpur, kuching, kuwait, kwajalein, kyiv, la paz, la rioja, lagos,
libreville, lima, lindeman, lisbon, ljubljana, lome, london, longyearbyen, lord howe, los angeles, louisville, lower
princes, luanda, lubumbashi, lusaka, luxembourg, macao, macau, maceio, macquarie, madeira, madrid, magadan, mahe,
majuro, makassar, malabo, maldives, malta, managua, manaus, manila, maputo, marengo, mariehamn, marigot, marquesas,
martinique, maseru, matamoros, mauritius, mawson, mayotte, mazatlan, mbabane, mcmurdo, melbourne, mendoza,
menominee, merida, metlakatla, mexico city, midway, minsk, miquelon, mogadishu, monaco, moncton, monrovia,
monterrey, montevideo, monticello, montreal, montserrat, moscow, muscat, nairobi, nassau, nauru, ndjamena, new
salem, new york, niamey, nicosia, nipigon, niue, nome, norfolk, noronha, nouakchott, noumea, novokuznetsk,
novosibirsk, nuuk, ojinaga, omsk, oral, oslo, ouagadougou, pago pago, palau, palmer, panama, pangnirtung,
paramaribo, paris, perth, petersburg, phnom penh, phoenix, pitcairn, podgorica, pohnpei, ponape, pontianak, port
moresby, port of spain, port-au-prince, porto acre, porto velho, porto-novo, prague, puerto rico, punta arenas,
pyongyang, qatar, qostanay, queensland, qyzylorda, rainy river, rangoon, rankin inlet, rarotonga, recife, regina,
resolute, reunion, reykjavik, riga, rio branco, rio gallegos, riyadh, rome, rosario, rothera, saigon, saipan,
sakhalin, salta, samara, samarkand, samoa, san juan, san luis, san marino, santa isabel, santarem, santiago, santo
domingo, sao paulo, sao tome, sarajevo, saratov, scoresbysund, seoul, shanghai, shiprock, simferopol, singapore,
sitka, skopje, sofia, south georgia, south pole, srednekolymsk, st barthelemy, st helena, st johns, st kitts, st
lucia, st thomas, st vincent, stanley, stockholm, swift current, sydney, syowa, tahiti, taipei, tallinn, tarawa,
tashkent, tasmania, tbilisi, tegucigalpa, tehran, tel aviv, tell city, thimbu, thimphu, thule, thunder bay, tijuana,
timbuktu, tirane, tiraspol, tokyo, tomsk, tongatapu, toronto, tortola, tripoli, troll, truk, tucuman, tunis, ujung
pandang, ulaanbaatar, ulan bator, ulyanovsk, urumqi, ushuaia, ust-nera, uzhgorod, vaduz, vancouver, vatican, vevay,
victoria, vienna, vientiane, vilnius, vincennes, virgin, vladivostok, volgograd, vostok, wake, wallis, warsaw,
whitehorse, winamac, windhoek, winnipeg, yakutat, yakutsk, yancowinna, yangon, yap, yekaterinburg, yellowknife,
yerevan, zagreb, zaporozhye, zurich
"""
